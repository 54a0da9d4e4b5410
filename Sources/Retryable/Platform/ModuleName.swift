/// The name of the module that a class is declared in.
func moduleName(of testClass: AnyClass) -> String {
    String(reflecting: testClass).split(separator: ".").first.map(String.init) ?? ""
}
