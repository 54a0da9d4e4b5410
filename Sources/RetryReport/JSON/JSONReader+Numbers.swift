extension JSONReader {
    /// The powers of ten that a `Double` holds exactly.
    private static let powersOfTen: [Double] = (0...22).map { exponent in
        (0..<exponent).reduce(1.0) { power, _ in power * 10 }
    }

    package mutating func int() throws(JSONTrouble) -> Int {
        let number = try number()
        if let whole = number.whole { return whole }
        let value = try double(number)
        guard let int = Int(exactly: value) else { throw JSONTrouble("is \(value), not a whole number") }
        return int
    }

    package mutating func double() throws(JSONTrouble) -> Double {
        try double(number())
    }

    /// A number's parts, as they stand.
    private struct Number {
        let range: Range<Int>
        /// All digits, before and after the point, as one number; `nil` if that is too large.
        let digits: Int?
        let isNegative: Bool
        let fractionCount: Int
        let hasExponent: Bool

        var whole: Int? {
            guard fractionCount == 0, !hasExponent, let digits else { return nil }
            return isNegative ? -digits : digits
        }
    }

    private mutating func number() throws(JSONTrouble) -> Number {
        try expect(.number)
        let start = position
        let isNegative = peek == UInt8(ascii: "-")
        if isNegative { position += 1 }
        var digits: Int? = 0
        let leading = peek
        let count = try skipDigits(adding: &digits)
        guard count == 1 || leading != UInt8(ascii: "0") else { throw syntax("expected no leading zero") }
        var fractionCount = 0
        if peek == UInt8(ascii: ".") {
            position += 1
            fractionCount = try skipDigits(adding: &digits)
        }
        let hasExponent = peek | 0x20 == UInt8(ascii: "e")
        if hasExponent {
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            var exponent: Int?
            _ = try skipDigits(adding: &exponent)
        }
        return Number(
            range: start..<position,
            digits: digits,
            isNegative: isNegative,
            fractionCount: fractionCount,
            hasExponent: hasExponent
        )
    }

    private mutating func skipDigits(adding digits: inout Int?) throws(JSONTrouble) -> Int {
        let start = position
        while case UInt8(ascii: "0")...UInt8(ascii: "9") = peek {
            if let value = digits {
                let (shifted, overflows) = value.multipliedReportingOverflow(by: 10)
                let (sum, overflowsAsWell) = shifted.addingReportingOverflow(Int(peek - UInt8(ascii: "0")))
                digits = overflows || overflowsAsWell ? nil : sum
            }
            position += 1
        }
        guard position > start else { throw syntax("expected a digit") }
        return position - start
    }

    private func double(_ number: Number) throws(JSONTrouble) -> Double {
        // Both parts are exact, so their quotient is rounded once, as it should be.
        if let digits = number.digits, digits <= 1 << 53, !number.hasExponent,
            number.fractionCount < Self.powersOfTen.count
        {
            let value = Double(digits) / Self.powersOfTen[number.fractionCount]
            return number.isNegative ? -value : value
        }
        let text = String(decoding: bytes[number.range], as: UTF8.self)
        guard let value = Double(text), value.isFinite else { throw JSONTrouble("is \(text), too large for a number") }
        return value
    }
}
