/// A page for a person: one file that needs nothing else, neither a network nor scripts.
struct HTMLPage {
    var title: String
    /// What stands at the top: already HTML, like ``main``.
    var header: String
    var main: String
    /// What it has beside the style of all pages.
    var style = ""

    var text: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
        style-src 'unsafe-inline'; script-src 'unsafe-inline'">
        <title>\(HTMLText.escaped(title))</title>
        <style>
        \(HTMLStyle.text)\(style)
        </style>
        </head>
        <body>
        <header>
        \(header)
        </header>
        <main>
        \(main)
        </main>
        <script>
        \(HTMLScript.text)
        </script>
        </body>
        </html>

        """
    }
}
