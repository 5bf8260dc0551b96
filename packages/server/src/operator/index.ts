// What the service serves of this room. Each command has its own file, which the command line loads one at a time
// by their paths, connect-installation.ts first: a command that loads the whole server waits for it twice as long.
export { createOperator } from './create-operator.ts';
