import { Stack, Text } from '@mantine/core';
import type { CatalogueChange } from '@seathold/client';
import { Status, Table, type Tone } from '../../ui/index.ts';
import { useCatalogueText } from './messages.ts';
import './catalogue.css';

const TONES = {
  added: 'success',
  changed: 'warning',
  archived: 'danger',
  revived: 'success',
  removed: 'danger',
} as const satisfies Record<CatalogueChange['action'], Tone>;

/** Each change, with its fields before and after. */
export function Difference({ changes }: { changes: readonly CatalogueChange[] }) {
  const t = useCatalogueText();
  return (
    <Stack gap="md">
      {changes.map(({ kind, key, action, fields }) => (
        <div key={`${kind} ${key}`}>
          <Text fw={500} size="sm" component="div">
            <Status tone={TONES[action]}>{`${t(kind)} ${key}: ${t(action)}`}</Status>
          </Text>
          {fields.length > 0 && (
            <Table
              label={`${t(kind)} ${key}`}
              className="difference"
              columns={[
                { title: t('field'), show: ({ field }) => <code>{field}</code> },
                { title: t('before'), show: ({ before }) => (before === null ? '–' : <del>{String(before)}</del>) },
                { title: t('after'), show: ({ after }) => (after === null ? '–' : <ins>{String(after)}</ins>) },
              ]}
              items={fields}
              keyOf={({ field }) => field}
            />
          )}
        </div>
      ))}
    </Stack>
  );
}
