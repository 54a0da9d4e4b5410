import Foundation
import TestSupport
import Testing

@Suite("A file")
final class SystemTests: FolderTests {
    @Test("a file is found behind links, even if there is nothing at their end")
    func links() throws {
        symlink("second", folder.file("first").path)
        symlink(folder.file("third").path, folder.file("second").path)
        #expect(FilePath(folder.file("first").path).target.path == folder.file("third").path)
        symlink("loop", folder.file("loop").path)
        #expect(FilePath(folder.file("loop").path).target.name == "loop")
    }

    @Test(
        "a file is named by its last part, in the folder before it",
        arguments: [("/a", "/", "a"), ("a", ".", "a"), ("b/a", "b", "a")]
    )
    func parts(path: String, folder: String, name: String) {
        #expect(FilePath(path).folder == folder)
        #expect(FilePath(path).name == name)
    }

    @Test("the nearest folder above a file that holds an entry of a given name may be its own")
    func nearestFolder() throws {
        let (outer, inner) = (folder.file("outer"), folder.file("outer/inner/innermost"))
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try Data().write(to: outer.appendingPathComponent("mark"))
        #expect(FilePath("\(inner.path)/file").nearestFolder(holding: "mark") == outer.path)
        #expect(FilePath(outer.path).nearestFolder(holding: "mark") == outer.path)
        #expect(FilePath(inner.path).nearestFolder(holding: "no such mark") == nil)
        #expect(FilePath("a/b").nearestFolder(holding: "no such mark") == nil)
    }

    @Test("a file is named from a folder that it lies under, and from no other")
    func relative() {
        #expect(FilePath("/a/b/c.swift").relative(to: "/a") == "b/c.swift")
        #expect(FilePath("/ab/c.swift").relative(to: "/a") == "/ab/c.swift")
        #expect(FilePath("/a/c.swift").relative(to: "/") == "/a/c.swift")
    }
}
