import RetriesCommand

RetriesCommand.runAndExit()
