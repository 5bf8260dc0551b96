// The commands of the operator stand in files of their own, which the command line loads one at a time: a command that
// loads the whole server waits for it twice as long.
export {
  connectAllInstallations,
  connectInstallation,
  type Installation,
  listEnvironments,
} from './connect-installation.ts';
