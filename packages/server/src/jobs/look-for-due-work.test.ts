import { describe, expect, it, onTestFinished } from 'vitest';
import { defineDueCheck, type Executor } from '../database/index.ts';
import { createLogger } from '../log/index.ts';
import { type Job, runJobs, sleepUntilDue } from './index.ts';

const even = defineDueCheck({ name: 'test_even', sql: () => '1' });
const odd = defineDueCheck({ name: 'test_odd', sql: () => '2' });

/** Answers each look with the next row, then repeats the last one. */
function databaseThatAnswers(...rows: ReadonlyArray<Record<string, unknown>>): { database: Executor; looks: string[] } {
  const looks: string[] = [];
  const execute: Executor['execute'] = ({ text }) => {
    const row = rows[Math.min(looks.push(text), rows.length) - 1];
    return Promise.resolve({ rows: [row], rowCount: 1 });
  };
  const database: Executor = { execute };
  return { database, looks };
}

function lookJob(jobs: readonly Job[]): Job {
  const look = jobs.find(({ name }) => name === 'jobs.look-for-due-work');
  if (look === undefined) {
    throw new Error('there is no look');
  }
  return look;
}

function jobWith(name: string, due: Job['due'], runs: string[]): Job {
  const run = async () => {
    runs.push(name);
    return false;
  };
  return { name, everyMs: 3_600_000, run, ...(due === undefined ? {} : { due }) };
}

describe('jobs that sleep until they are due', () => {
  it('are checked with one statement, and only due jobs run', async () => {
    const runs: string[] = [];
    const { database, looks } = databaseThatAnswers({ c0: false, c1: true });
    const jobs = sleepUntilDue(database, [
      jobWith('a', { check: even }, runs),
      jobWith('b', { check: odd }, runs),
      jobWith('c', { check: odd }, runs),
    ]);
    const running = runJobs(
      jobs.filter(({ name }) => name !== 'jobs.look-for-due-work'),
      createLogger('silent'),
    );
    onTestFinished(() => running.stop());
    await expect.poll(() => runs).toEqual(['a', 'b', 'c']);
    await lookJob(jobs).run();
    await expect.poll(() => runs).toEqual(['a', 'b', 'c', 'b', 'c']);
    expect(looks).toEqual(['select (1) as c0, (2) as c1']);
  });

  it('may read the value of their check themselves', async () => {
    const runs: string[] = [];
    const { database } = databaseThatAnswers({ c0: 1 }, { c0: 1 }, { c0: 2 });
    const seen: unknown[] = [];
    const isDue = (value: unknown) => seen.push(value) > 2;
    const jobs = sleepUntilDue(database, [jobWith('a', { check: even, isDue }, runs)]);
    const running = runJobs(
      jobs.filter(({ name }) => name === 'a'),
      createLogger('silent'),
    );
    onTestFinished(() => running.stop());
    await expect.poll(() => runs).toEqual(['a']);
    for (const expected of [['a'], ['a'], ['a', 'a']]) {
      await lookJob(jobs).run();
      await expect.poll(() => runs).toEqual(expected);
    }
    expect(seen).toEqual([1, 1, 2]);
  });

  it('may wake other jobs by each value of their check, and run if the statement fails', async () => {
    const runs: string[] = [];
    const received: unknown[] = [];
    const { database } = databaseThatAnswers({ c0: 1, c1: false }, { c0: 2, c1: false });
    const due = { check: even, isDue: () => false, receive: (value: unknown) => received.push(value) };
    const given = [jobWith('a', due, runs), jobWith('b', { check: odd }, runs)];
    const jobs = sleepUntilDue(database, given);
    const running = runJobs(
      jobs.filter(({ name }) => name !== 'jobs.look-for-due-work'),
      createLogger('silent'),
    );
    onTestFinished(() => running.stop());
    await expect.poll(() => runs).toEqual(['a', 'b']);
    await lookJob(jobs).run();
    await lookJob(jobs).run();
    expect(received).toEqual([1, 2]);
    expect(runs).toEqual(['a', 'b']);
    database.execute = () => Promise.reject(new Error('one of the checks failed'));
    await expect(lookJob(jobs).run()).rejects.toThrow('one of the checks failed');
    await expect.poll(() => runs).toEqual(['a', 'b', 'a']);
  });

  it('need no statement if none of them has a check', () => {
    const { database } = databaseThatAnswers({});
    const jobs = [jobWith('a', undefined, [])];
    expect(sleepUntilDue(database, jobs)).toEqual(jobs);
  });
});
