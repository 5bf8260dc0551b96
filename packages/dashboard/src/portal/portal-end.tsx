import { Text, Title } from '@mantine/core';
import { Problem, useTitle } from '../ui/index.ts';
import { usePortalText } from './messages.ts';

/** Shown when the link or its session has ended. Only the program that embeds the portal can create a new one. */
export function PortalEnd({ error }: { error?: unknown }) {
  const t = usePortalText();
  useTitle(t('title'));
  return (
    <main className="portal">
      <Title order={1} size="h3" mb="xs">
        {t(error === undefined ? 'session_over' : 'link_over')}
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        {t('reopen')}
      </Text>
      {error !== undefined && <Problem error={error} />}
    </main>
  );
}
