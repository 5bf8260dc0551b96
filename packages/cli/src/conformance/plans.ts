import type { CheckGroup } from './check.ts';
import { expectData, expectError, expectFields, expectPage, expectThat, LeftOut } from './expectations.ts';
import type { Probe } from './probe.ts';
import { pick, pickList, pickText } from './read-json.ts';

/** Contract section 8 as far as it is public: the plans. */
export const PLANS: CheckGroup = {
  key: 'plans',
  title: '§8 Plans',
  checks: [
    {
      name: 'lists plans without a token, each with its fields',
      run: async (probe) => {
        const answer = await probe.open('GET', '/v1/plans?limit=100');
        expectPage(answer);
        for (const place of pickList(answer.body, 'data').keys()) {
          expectFields(answer, `data.${place}`, PLAN);
          expectFields(answer, `data.${place}.features`, FEATURES);
          const [price, seats] = [
            pick(answer.body, `data.${place}.price`),
            pick(answer.body, `data.${place}.features.seats`),
          ];
          expectThat(answer, Number.isInteger(seats) || seats === 'unlimited', `the seats of a plan are ${seats}`);
          const isByContact = pick(answer.body, `data.${place}.contact_sales`) === true;
          const isPriced = Number.isInteger(price);
          expectThat(answer, isByContact ? price === null : isPriced, `the price of a plan is ${price}`);
        }
      },
    },
    {
      name: 'shows one plan, and 404 for an unknown one',
      run: async (probe) => {
        const id = await firstPlan(probe);
        expectError(await probe.open('GET', '/v1/plans/plan_00000000000000000000000000'), 404, 'not_found');
        const answer = await probe.open('GET', `/v1/plans/${id}`);
        expectData(answer, 200);
        expectFields(answer, 'data', PLAN);
      },
    },
    {
      name: 'lets scripts of any site read them, without cookies',
      run: async (probe) => {
        const answer = await probe.open('GET', '/v1/plans', { headers: { origin: 'https://shop.example' } });
        const allowed = answer.headers['access-control-allow-origin'];
        expectThat(answer, allowed === '*', `Access-Control-Allow-Origin is ${allowed ?? 'missing'}, expected *`);
        const credentials = answer.headers['access-control-allow-credentials'];
        expectThat(answer, credentials === undefined, `Access-Control-Allow-Credentials is ${credentials}`);
      },
    },
    {
      name: 'answers the preflight of a browser',
      run: async (probe) => {
        const headers = { origin: 'https://shop.example', 'access-control-request-method': 'GET' };
        const answer = await probe.open('OPTIONS', '/v1/plans', { headers });
        expectThat(
          answer,
          answer.status === 204 || answer.status === 200,
          `the status is ${answer.status}, expected 204`,
        );
        const methods = answer.headers['access-control-allow-methods'] ?? 'missing';
        expectThat(answer, methods.includes('GET'), `Access-Control-Allow-Methods is ${methods}`);
      },
    },
  ],
};

const PLAN = {
  id: /^plan_/,
  name: 'string',
  description: 'string',
  currency: /^[a-z]{3}$/,
  interval: 'string',
  features: 'object',
} as const;
const FEATURES = {
  ai_assistance: 'boolean',
  cloud_workstations: 'boolean',
  priority_support: 'boolean',
  sso: 'boolean',
  audit_logs: 'boolean',
  dedicated_support: 'boolean',
} as const;

async function firstPlan(probe: Probe): Promise<string> {
  const id = pickText((await probe.open('GET', '/v1/plans?limit=1')).body, 'data.0.id');
  if (id === '') {
    throw new LeftOut('needs a plan in the catalogue');
  }
  return id;
}
