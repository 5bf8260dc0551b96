import { type Bench, type BenchOptions, inRounds, makeFigure } from './rig/figure.ts';
import { LineProgram } from './rig/line-program.ts';
import type { MoneyOrder, MoneyResult } from './rig/money-order.ts';

/**
 * Prorations and invoices of a period, computed by the service's own pure functions, against a loop that does no more than the
 * multiplications and the division of each with BigInt: no periods, no lines of text.
 */
export const money: Bench = {
  name: 'money',
  measure: async (options: BenchOptions) => {
    const program = new LineProgram('contender', new URL('./programs/money.ts', import.meta.url), []);
    const run = async (work: MoneyOrder['work']) => {
      const order: MoneyOrder = { work, seconds: options.seconds / 4 };
      const result: MoneyResult = JSON.parse(await program.ask(JSON.stringify(order)));
      return result.perSecond;
    };
    try {
      const rounds = await inRounds(options, async () => ({
        prorations: { ours: await run('prorations'), limit: await run('bare prorations') },
        invoices: { ours: await run('invoices'), limit: await run('bare invoices') },
      }));
      return (['prorations', 'invoices'] as const).map((kind) =>
        makeFigure(
          { name: `${kind} computed`, unit: '/s', limitIs: 'bare loop of BigInt', bar: undefined },
          rounds.map((round) => round[kind]),
        ),
      );
    } finally {
      await program.stop();
    }
  },
};
