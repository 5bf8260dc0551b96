import { Stack, Text } from '@mantine/core';
import type { CatalogueChange } from '@seathold/client';
import { Status, TableScroll, type Tone } from '../../ui/index.ts';
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
            <TableScroll label={`${t(kind)} ${key}`}>
              <table className="difference">
                <thead>
                  <tr>
                    <th scope="col">{t('field')}</th>
                    <th scope="col">{t('before')}</th>
                    <th scope="col">{t('after')}</th>
                  </tr>
                </thead>
                <tbody>
                  {fields.map(({ field, before, after }) => (
                    <tr key={field}>
                      <td>
                        <code>{field}</code>
                      </td>
                      <td>{before === null ? '–' : <del>{String(before)}</del>}</td>
                      <td>{after === null ? '–' : <ins>{String(after)}</ins>}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableScroll>
          )}
        </div>
      ))}
    </Stack>
  );
}
