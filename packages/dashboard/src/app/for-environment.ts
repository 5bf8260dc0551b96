/** Commands for the server, one in each line, made for the environment: without `--sandbox`, they use production. */
export function forEnvironment(commands: string, environment: 'production' | 'sandbox'): string {
  return environment === 'sandbox' ? commands.replaceAll(/^([^>\n]*[^>\s])/gm, '$1 --sandbox') : commands;
}
