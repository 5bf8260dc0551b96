import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take ten seconds and more, mostly waiting: for outages, timeouts, processes that start. They go first, so that
 * the others fill the processor meanwhile, and the run doesn't end with one worker waiting alone.
 */
const LONGEST = [
  /\/packages\/server\/test\/(torture|running)\//,
  /\/packages\/server\/test\/fuzz\/hostile-connections\./,
  /\/embedded-postgres\/shared-folder\./,
  /\/stripe\/stripe-faults\./,
  /\/http\/listener\/(long-work|hostile-clients)\./,
];

/** Vitest's order knows how long a file takes only where it ran before. In a fresh clone it goes by the files' sizes. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      `${project.name} ${LONGEST.some((pattern) => pattern.test(moduleId)) ? 0 : 1}`;
    return (await super.sort(files)).toSorted((a, b) => rank(a).localeCompare(rank(b)));
  }
}
