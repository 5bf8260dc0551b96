import { Command } from 'commander';
import packageJson from '../package.json' with { type: 'json' };

/** The program without commands. */
export function createBareProgram(): Command {
  return new Command('seathold')
    .description('Floating licenses, subscriptions, and signed webhooks in one process.')
    .version(packageJson.version)
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', EXAMPLES);
}

const EXAMPLES = `
Examples:
  $ seathold serve
  $ seathold license issue --organization jane@example.com --product studio --seats 5
  $ seathold catalog apply catalogue.yaml --dry-run
  $ seathold doctor --json
  $ seathold login --sandbox
  $ seathold webhooks listen --sandbox --forward-to http://localhost:3000/hooks

Exit codes: 0 success, 1 failure, 2 usage error, 3 not authenticated, 4 not found, 5 conflict, 6 not allowed, 7 database or service unreachable, 78 invalid settings, 130 canceled.`;
