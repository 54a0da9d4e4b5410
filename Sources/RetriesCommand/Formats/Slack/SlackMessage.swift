/// A message of Slack's Block Kit.
struct SlackMessage: Encodable {
    /// For notifications, which show no blocks.
    var text: String
    var blocks: [Block]

    struct Block: Encodable {
        var type: String
        var text: Text

        static func header(_ text: String) -> Block {
            Block(type: "header", text: Text(type: "plain_text", text: text))
        }

        static func section(_ text: String) -> Block {
            Block(type: "section", text: Text(type: "mrkdwn", text: text, verbatim: true))
        }
    }

    struct Text: Encodable {
        var type: String
        var text: String
        /// Without it, a name in a text that comes from tests would call people.
        var verbatim: Bool?
    }
}
