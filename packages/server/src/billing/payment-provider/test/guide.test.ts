import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { TEST_CARDS } from './card-list.ts';

it('the guide names every test card beside its number, and no other number', async () => {
  const guide = await readFile(new URL('../../../../../../docs/reference/test-cards.md', import.meta.url), 'utf8');
  const rows = [...guide.matchAll(/^\| ([\d ]{14,}) \| (pm_card_\w+)/gm)];
  const written = rows.map(([, number = '', name]) => `${number.replaceAll(' ', '')} ${name}`);
  expect(written.sort()).toEqual(TEST_CARDS.map((card) => `${card.number} ${card.name}`).sort());
});
