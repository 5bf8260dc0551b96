import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { createTest } from '../harness/fixtures.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

const RULES: Rule[] = parse(read('deploy/prometheus/alerts.yaml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
);
const DASHBOARD = JSON.parse(read('deploy/grafana/seathold.json'));
const PANELS: { title: string; targets?: { expr: string }[] }[] = DASHBOARD.panels;

const it = createTest().extend('exposed', { scope: 'file' }, async ({ app }) => {
  const { body } = await app.api.get('/metrics');
  const types = [...String(body).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const suffixes = { histogram: ['_bucket', '_count', '_sum'], summary: ['', '_count', '_sum'] };
  return new Set(
    types.flatMap(([, name, type = '']) => (suffixes[type as 'histogram'] ?? ['']).map((suffix) => `${name}${suffix}`)),
  );
});

/** Our metrics that an expression reads: names outside quotes. */
const metricsIn = (expression: string): string[] =>
  expression.replaceAll(/"[^"]*"/g, '').match(/\bseathold_\w+/g) ?? [];

describe('the alert rules', () => {
  it('read only metrics that the service exposes', ({ exposed }) => {
    const unknown = RULES.flatMap(({ alert, expr }) =>
      metricsIn(expr)
        .filter((name) => !exposed.has(name))
        .map((name) => `${alert}: ${name}`),
    );
    expect(unknown).toEqual([]);
    expect(RULES.flatMap(({ expr }) => metricsIn(expr)).length).toBeGreaterThan(RULES.length);
  });

  it('each have a runbook of the same name, which the list of runbooks includes', () => {
    const list = read('docs/operating/runbooks/README.md');
    for (const { alert, annotations } of RULES) {
      expect(annotations.runbook_url).toBe(`docs/operating/runbooks/${alert}.md`);
      const page = read(annotations.runbook_url);
      expect(page).toMatch(new RegExp(`^# ${alert}: `));
      expect(page).toContain('## Check');
      expect(page).toContain('## Fix');
      expect(list).toContain(`| [${alert}](${alert}.md) |`);
    }
    const pages = readdirSync(join(ROOT, 'docs/operating/runbooks')).filter((name) => name !== 'README.md');
    expect(pages.toSorted()).toEqual(RULES.map(({ alert }) => `${alert}.md`).toSorted());
  });

  it('each have a promtool test in which they are quiet first and then fire', () => {
    const { tests } = parse(read('deploy/prometheus/alerts.test.yaml'));
    for (const { alert } of RULES) {
      const found = tests.find((each: { name: string }) => each.name === alert);
      const [quiet, firing] = found?.alert_rule_test ?? [];
      expect(quiet, alert).toMatchObject({ alertname: alert, exp_alerts: [] });
      expect(firing, alert).toMatchObject({ alertname: alert, exp_alerts: [{}] });
    }
  });
});

describe('the dashboard', () => {
  it('reads only metrics that the service exposes', ({ exposed }) => {
    const unknown = PANELS.flatMap(({ title, targets = [] }) =>
      targets
        .flatMap(({ expr }) => metricsIn(expr))
        .filter((name) => !exposed.has(name))
        .map((name) => `${title}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('has panels that do not overlap, each with its own ID', () => {
    expect(new Set(DASHBOARD.panels.map((each: { id: number }) => each.id)).size).toBe(PANELS.length);
    const cells = DASHBOARD.panels.flatMap(({ gridPos }: { gridPos: Record<'x' | 'y' | 'w' | 'h', number> }) =>
      Array.from({ length: gridPos.w * gridPos.h }, (_, place) =>
        [gridPos.x + (place % gridPos.w), gridPos.y + Math.floor(place / gridPos.w)].join(),
      ),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});
