import type { Answer } from './answer.ts';
import type { CheckGroup } from './check.ts';
import { createProject } from './create-project.ts';
import { expectError, expectPage, expectThat, LeftOut } from './expectations.ts';
import type { Probe } from './probe.ts';
import { pick, pickList, pickText } from './read-json.ts';

/** Contract section 5: pages, cursors, filters, and sorting. */
export const LISTS: CheckGroup = {
  key: 'lists',
  title: '§5 Lists',
  checks: [
    {
      name: 'refuses a limit outside 1 to 100',
      run: async (probe) => {
        for (const limit of ['0', '101', '-1', '1.5', 'ten']) {
          expectError(await probe.open('GET', `/v1/plans?limit=${limit}`), 400, 'invalid_request', { field: 'limit' });
        }
      },
    },
    {
      name: 'refuses a forged cursor',
      run: async (probe) => {
        for (const cursor of ['forged', 'eyJpZCI6InBsYW5fMSJ9', encodeURIComponent("' or 1=1 --")]) {
          expectError(await probe.open('GET', `/v1/plans?cursor=${cursor}`), 400, 'invalid_request', {
            field: 'cursor',
          });
        }
      },
    },
    {
      name: 'refuses an unknown sort field',
      run: async (probe) =>
        expectError(await probe.open('GET', '/v1/plans?sort=color'), 400, 'invalid_request', { field: 'sort' }),
    },
    {
      name: 'pages through lists without skipping or repeating anything, and sorts both ways',
      run: async (probe) => {
        await createThree(probe);
        const whole = idsOf(await page(probe, 'sort=name&limit=100'));
        const { walked, last } = await walk(probe, whole.length);
        expectThat(last, walked.join() === whole.join(), 'pages of one item do not add up to the full list');
        const reversed = await page(probe, 'sort=-name&limit=100');
        expectThat(
          reversed,
          idsOf(reversed).toReversed().join() === whole.join(),
          'sort=-name is not the reverse of sort=name',
        );
      },
    },
    {
      name: 'keeps a page stable while something is created',
      run: async (probe) => {
        await createThree(probe);
        const first = await page(probe, 'sort=-created_at&limit=1');
        await createProject(probe, 'late');
        const cursor = pickText(first.body, 'pagination.next_cursor');
        const second = await page(probe, `sort=-created_at&limit=1&cursor=${cursor}`);
        expectThat(second, idsOf(second)[0] !== idsOf(first)[0], 'the second page repeats the first one');
      },
    },
    {
      name: 'refuses a cursor of another sort order and of another list',
      run: async (probe) => {
        await createThree(probe);
        const cursor = pickText((await page(probe, 'sort=name&limit=1')).body, 'pagination.next_cursor');
        const otherSort = await probe.call('GET', `/v1/projects?sort=-created_at&cursor=${cursor}`);
        expectError(otherSort, 400, 'invalid_request', { field: 'cursor' });
        const otherList = await probe.open('GET', `/v1/plans?sort=name&cursor=${cursor}`);
        expectError(otherList, 400, 'invalid_request', { field: 'cursor' });
      },
    },
    {
      name: 'filters, and refuses a filter with a value that does not exist',
      run: async (probe) => {
        const archived = await page(probe, 'status=archived&limit=100');
        const statuses = pickList(archived.body, 'data').map((each) => pick(each, 'status'));
        expectThat(
          archived,
          statuses.every((status) => status === 'archived'),
          'status=archived lists others',
        );
        const unknown = await probe.call('GET', '/v1/projects?status=lost');
        expectError(unknown, 400, 'invalid_request', { field: 'status', reason: 'enum' });
      },
    },
  ],
};

async function createThree(probe: Probe): Promise<void> {
  for (const name of ['one', 'two', 'three']) {
    await createProject(probe, name);
  }
}

/** Iterates over the list one by one, up to its length. */
async function walk(probe: Probe, length: number): Promise<{ walked: string[]; last: Answer }> {
  const walked: string[] = [];
  for (let cursor = ''; ; ) {
    const last = await page(probe, `sort=name&limit=1${cursor}`);
    walked.push(...idsOf(last));
    if (pick(last.body, 'pagination.has_more') === false || walked.length > length) {
      return { walked, last };
    }
    cursor = `&cursor=${pickText(last.body, 'pagination.next_cursor')}`;
  }
}

async function page(probe: Probe, query: string): Promise<Answer> {
  const answer = await probe.call('GET', `/v1/projects?${query}`);
  expectPage(answer);
  if (query.includes('limit=100') && pick(answer.body, 'pagination.has_more') === true) {
    throw new LeftOut('the organization has more than 100 projects');
  }
  return answer;
}

function idsOf(answer: Answer): string[] {
  return pickList(answer.body, 'data').map((each) => pickText(each, 'id'));
}
