import { randomUUID } from 'node:crypto';
import type { Answer } from './answer.ts';
import { expectData } from './expectations.ts';
import type { Probe } from './probe.ts';
import { pickText } from './read-json.ts';

/** The name of everything that a run creates, so that people recognize its origin. */
export const NAME = 'seathold conformance';

/** Creates a project that is deleted after the check. */
export async function createProject(
  probe: Probe,
  name: string,
  more: { json?: object; headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const json = { name: `${NAME} ${name}`, slug: newSlug(), ...more.json };
  const answer = await probe.call('POST', '/v1/projects', { json, ...(more.headers && { headers: more.headers }) });
  const id = pickText(answer.body, 'data.id');
  if (id !== '') {
    probe.deleteLater(`/v1/projects/${id}`);
  }
  expectData(answer, 201);
  return answer;
}

/** A slug unique to this run. */
export function newSlug(): string {
  return `conformance-${randomUUID()}`;
}
