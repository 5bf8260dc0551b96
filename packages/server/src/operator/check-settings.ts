import { type Environment, loadConfig } from '../config/index.ts';
import { readHttpSettings } from '../http/rate-limit/index.ts';

export { describeConfig } from '../config/index.ts';

/** The problems of the settings, by name. */
export function findConfigProblems(environment: Environment): ReadonlyArray<{ name: string; problem: string }> {
  return [...loadConfig(environment).problems, ...readHttpSettings(environment).problems];
}
