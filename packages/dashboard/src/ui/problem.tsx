import { Button, Group, Text } from '@mantine/core';
import { SeatholdError } from '@seathold/client';
import { CopyId } from './copy.tsx';
import { useUiText } from './messages.ts';

/** An error, with the ID that finds the request in the operator's log. `text` replaces the API's message. */
export function Problem({ error, text, retry }: { error: unknown; text?: string | undefined; retry?: () => void }) {
  const t = useUiText();
  const { requestId, status } = error instanceof SeatholdError ? error : {};
  const hasAnswer = status !== undefined;
  return (
    <div className="problem" role="alert">
      <Text size="sm" fw={500}>
        {text ?? (error instanceof Error && hasAnswer ? error.message : t('offline'))}
      </Text>
      {requestId !== undefined && (
        <Group gap={6} mt={4}>
          <Text size="sm" c="dimmed">
            {t('request_id')}
          </Text>
          <CopyId id={requestId} />
        </Group>
      )}
      {retry !== undefined && (
        <Button mt="sm" size="xs" variant="default" onClick={retry}>
          {t('try_again')}
        </Button>
      )}
    </div>
  );
}
