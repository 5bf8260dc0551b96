import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { personalApi } from '../../api/index.ts';
import { Command } from '../../app/command.tsx';
import { Page, Problem, Section, useAction } from '../../ui/index.ts';
import { saveFile } from '../../ui/save-file.ts';
import { useMoneyText } from './messages.ts';

const KINDS = ['invoices', 'payments'] as const;
const FORMATS = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;

interface Wanted {
  kind: (typeof KINDS)[number];
  format: keyof typeof FORMATS;
  from: string;
  to: string;
}

/** An export has no time limit: the maximum value of a timer. */
const TIMEOUT_MS = 2 ** 31 - 1;

/** Downloads invoices and payments of all customers. */
export function ExportsScreen() {
  const t = useMoneyText();
  const [wanted, setWanted] = useState<Wanted>({ kind: 'invoices', format: 'csv', from: '', to: '' });
  const download = useAction(save);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    download.mutate(wanted);
  };
  return (
    <Page title={t('exports')} about={t('exports_about')}>
      <Section>
        <form onSubmit={send}>
          <Stack gap="md">
            <Group gap="sm" align="flex-end">
              <Choices wanted={wanted} choose={setWanted} />
              {(['from', 'to'] as const).map((name) => (
                <TextInput
                  key={name}
                  label={t(name)}
                  type="date"
                  value={wanted[name]}
                  onChange={({ currentTarget }) => setWanted({ ...wanted, [name]: currentTarget.value })}
                />
              ))}
            </Group>
            <Text size="sm" c="dimmed">
              {t('export_hint')}
            </Text>
            {download.isError && <Problem error={download.error} />}
            <Group>
              <Button type="submit" loading={download.isPending}>
                {t('export')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
      <Section title={t('by_command')}>
        <Command text={describeCommand(wanted)} label={t('by_command')} />
      </Section>
    </Page>
  );
}

function Choices({ wanted, choose }: { wanted: Wanted; choose: (wanted: Wanted) => void }) {
  const t = useMoneyText();
  return (
    <>
      <NativeSelect
        label={t('what')}
        value={wanted.kind}
        onChange={({ currentTarget }) =>
          choose({ ...wanted, kind: currentTarget.value === 'payments' ? 'payments' : 'invoices' })
        }
        data={KINDS.map((value) => ({ value, label: t(value) }))}
      />
      <NativeSelect
        label={t('format')}
        value={wanted.format}
        onChange={({ currentTarget }) =>
          choose({ ...wanted, format: currentTarget.value === 'jsonl' ? 'jsonl' : 'csv' })
        }
        data={(['csv', 'jsonl'] as const).map((value) => ({ value, label: t(value) }))}
      />
    </>
  );
}

async function save({ kind, format, from, to }: Wanted): Promise<void> {
  const query = { format, ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) };
  const { operator } = personalApi();
  const options = { timeoutMs: TIMEOUT_MS };
  const bytes =
    kind === 'invoices' ? await operator.exportInvoices(query, options) : await operator.exportPayments(query, options);
  saveFile(bytes, FORMATS[format], `${[kind, from, to].filter((part) => part !== '').join('-')}.${format}`);
}

function describeCommand({ kind, format, from, to }: Wanted): string {
  const range = [from === '' ? '' : ` --from ${from}`, to === '' ? '' : ` --to ${to}`].join('');
  return `seathold export ${kind} --format ${format}${range} -o ${kind}.${format}`;
}
