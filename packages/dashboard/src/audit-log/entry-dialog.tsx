import { Stack, Text } from '@mantine/core';
import type { AuditLogEntry } from '@seathold/client';
import { Code, CopyId, Dialog, FactList, Time } from '../ui/index.ts';
import { useAuditLogText } from './messages.ts';

/** An entry of the audit log with the states before and after. */
export function EntryDialog({ entry, close }: { entry: AuditLogEntry; close: () => void }) {
  const t = useAuditLogText();
  const { actor, target } = entry;
  const states = [
    ['before', entry.before],
    ['after', entry.after],
  ] as const;
  return (
    <Dialog opened onClose={close} title={t('details')} size="lg">
      <Stack gap="md">
        <FactList
          facts={[
            [t('action'), <code key="action">{entry.action}</code>],
            [t('time'), <Time key="time" at={entry.created_at} isExact />],
            [t('actor'), actor.email ?? (actor.id === null ? t(actor.type) : <CopyId key="actor" id={actor.id} />)],
            [t('credential'), actor.credential.id === null ? '–' : <CopyId key="by" id={actor.credential.id} />],
            [t('address'), entry.client_address ?? '–'],
            [t('target'), <CopyId key="target" id={target.id} />],
            [t('request_id'), entry.request_id === null ? '–' : <CopyId key="request" id={entry.request_id} />],
          ]}
        />
        {states.map(
          ([name, state]) =>
            state !== null && (
              <div key={name}>
                <Text size="sm" fw={500} mb={4}>
                  {t(name)}
                </Text>
                <Code text={JSON.stringify(state, undefined, 2)} label={t(name)} />
              </div>
            ),
        )}
      </Stack>
    </Dialog>
  );
}
