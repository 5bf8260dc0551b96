import { describe, expect, it } from 'vitest';
import { sumByDay } from './count-project-usage.ts';

const [FILM, GAME] = ['proj_01kagt2m8xf3q9wz5r7e6b4c1n', 'proj_01kagt2m8xf3q9wz5r7e6b4c1p'];
const at = (text: string) => Date.parse(text);

describe('sumByDay', () => {
  it('sums seconds, rounded per session, per project and per day on which sessions ended', () => {
    const ended = [
      [FILM, '2026-01-31T23:00:00.000Z', '2026-01-31T23:59:59.999Z'],
      [FILM, '2026-01-31T23:00:00.000Z', '2026-02-01T00:00:00.000Z'],
      [GAME, '2026-01-31T10:00:00.000Z', '2026-01-31T10:00:01.500Z'],
      [FILM, '2026-01-31T12:00:00.500Z', '2026-01-31T12:00:01.000Z'],
    ] as const;
    const days = sumByDay(
      ended.map(([projectId, from, to]) => ({ projectId, startedAtMs: at(from), endedAtMs: at(to) })),
    );
    expect(days).toEqual([
      { project_id: FILM, day_ms: at('2026-01-31T00:00:00Z'), sessions: 2, seat_seconds: 3601 },
      { project_id: FILM, day_ms: at('2026-02-01T00:00:00Z'), sessions: 1, seat_seconds: 3600 },
      { project_id: GAME, day_ms: at('2026-01-31T00:00:00Z'), sessions: 1, seat_seconds: 2 },
    ]);
  });

  it('ignores sessions without a project or with a malformed one', () => {
    const ended = [null, '', 'my project', 'x'.repeat(8000)].map((projectId) => ({
      projectId,
      startedAtMs: 0,
      endedAtMs: 1000,
    }));
    expect(sumByDay(ended)).toEqual([]);
  });
});
