import { Argument, type Command } from 'commander';
import { createBashCompletion } from '../completion/bash.ts';
import { createFishCompletion } from '../completion/fish.ts';
import { listPlaces } from '../completion/list-places.ts';
import { createZshCompletion } from '../completion/zsh.ts';

const CREATORS = { bash: createBashCompletion, zsh: createZshCompletion, fish: createFishCompletion };

/** `seathold completion`: scripts for shell completion. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print a completion script for your shell.')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', HELP)
    .action((shell: keyof typeof CREATORS) => {
      process.stdout.write(CREATORS[shell](listPlaces(program)));
    });
}

const HELP = `
The script contains the commands of this version. After an upgrade, print it again.

Examples:
  $ eval "$(seathold completion bash)"                                       # in ~/.bashrc
  $ eval "$(seathold completion zsh)"                                        # in ~/.zshrc, after compinit
  $ seathold completion fish > ~/.config/fish/completions/seathold.fish`;
