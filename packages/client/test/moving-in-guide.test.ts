import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LicensedService, Program } from './licensed-service.ts';

const PAGE = resolve(import.meta.dirname, '../../../docs/how-to/from-flexlm-or-keygen.md');
const LAUNCHER = createRequire(import.meta.url).resolve('seathold/bin/seathold.js');

const it = test
  .extend('service', { scope: 'file' }, async ({}, { onCleanup }) => {
    const service = await LicensedService.start();
    onCleanup(() => service.close());
    await service.declareProducts(['studio', 'render']);
    return service;
  })
  .extend('operator', { scope: 'file' }, async ({ service }) => {
    const words = ['token', 'create', '--name', 'moving in', '--role', 'owner', '--json'];
    const { token } = JSON.parse(await succeed(new Program([LAUNCHER, ...words], service.operatorEnvironment())));
    return { ...service.createEnvironment(), SEATHOLD_OPERATOR_TOKEN: String(token) };
  });

describe('the code of docs/how-to/from-flexlm-or-keygen.md', () => {
  it('imports the license pools of a FlexLM file, and machines activate themselves with the new keys', async ({
    service,
    operator,
  }) => {
    const converted = await convert(service, 'FlexLM', 'text', 'license.dat');
    expect(converted).toContain('Left out, because it is not counted: viewer\n');
    await importLines(service, operator, converted);
    const licenses = await service.listLicenses(operator.SEATHOLD_OPERATOR_TOKEN);
    const organization = service.organizationId;
    expect(licenses).toContainEqual(
      expect.objectContaining({
        external_id: `${organization}-studio-31-dec-2030`,
        max_seats: 15,
        expires_at: '2030-12-31T23:59:59.000Z',
        policy: expect.objectContaining({ activation: 'key', max_offline_seconds: 1_209_600 }),
      }),
    );
    const render = licenses.find(({ product }) => product === 'render');
    expect(render).toMatchObject({ max_seats: 50, expires_at: null, policy: { max_offline_seconds: 0 } });
    const { SEATHOLD_TOKEN: _, ...env } = service.createEnvironment();
    const output = await runProgram({ ...env, LICENSE_KEY: render?.key ?? '' });
    expect(output).toMatch(/^granted acquired\nLicensed until /);
  });

  it('imports the licenses of Keygen, whose old keys still find them but activate no machine', async ({
    service,
    operator,
  }) => {
    const converted = await convert(service, 'Keygen', 'json', 'licenses.json');
    expect(converted).toContain('Left out, because it has no known product or no limit: Studio, site\n');
    await importLines(service, operator, converted);
    const oldKey = 'C1B6DE-39A6E3-DE1529-8559A0-4AF593-V3';
    expect(await service.listLicenses(operator.SEATHOLD_OPERATOR_TOKEN)).toContainEqual(
      expect.objectContaining({
        external_id: 'b18b0f0e-3f8c-4d0e-8a6e-0b1c4a5f7d21',
        max_seats: 2,
        expires_at: '2030-12-31T00:00:00.000Z',
        key_aliases: [oldKey],
        metadata: { contract: '4711' },
      }),
    );
    const env: Record<string, string> = { ...service.createEnvironment(), LICENSE_KEY: oldKey };
    expect(await runProgram(env)).toMatch(/^granted acquired\nLicensed until /);
    const { SEATHOLD_TOKEN: _, ...withoutToken } = env;
    const activating = new Program(['--input-type=module', '--eval', await codeOf('Change the program')], withoutToken);
    expect(await activating.ended).toEqual([1, null]);
    expect(activating.output).toContain('not_found');
  });
});

/** Runs the converter under the heading on the sample under the same heading. Returns its output. */
async function convert(service: LicensedService, system: string, language: string, name: string): Promise<string> {
  const heading = `Convert ${system} licenses`;
  const [script, input] = [join(service.folder, `convert-${system}.mjs`), join(service.folder, name)];
  await writeFile(script, await codeOf(heading));
  await writeFile(input, await codeOf(heading, language));
  return succeed(new Program([script, input, service.organizationId], {}));
}

async function importLines(
  service: LicensedService,
  operator: Record<string, string>,
  converted: string,
): Promise<void> {
  const path = join(service.folder, 'customer.jsonl');
  const lines = converted.split('\n').filter((line) => line.startsWith('{'));
  await writeFile(path, `${lines.join('\n')}\n`);
  for (const command of (await codeOf('Import them', 'sh')).trim().split('\n')) {
    const words = command.replace('customer.jsonl', path).split(' ').slice(1);
    await succeed(new Program([LAUNCHER, ...words], operator));
  }
}

async function runProgram(env: Record<string, string>): Promise<string> {
  return succeed(new Program(['--input-type=module', '--eval', await codeOf('Change the program')], env));
}

async function succeed(program: Program): Promise<string> {
  const ended = await program.ended;
  expect([ended, program.output]).toEqual([[0, null], expect.any(String)]);
  return program.output;
}

/** The first code block in this language under a heading of the page. */
async function codeOf(heading: string, language = 'js'): Promise<string> {
  const section = (await readFile(PAGE, 'utf8')).split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const code = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section)?.[1];
  if (code === undefined) {
    throw new Error(`there is no ${language} below ${heading}`);
  }
  return code;
}
