export { type Config, type ConfigProblem, describeConfig, type Environment, loadConfig } from './load-config.ts';
export { SETTINGS } from './settings.ts';
