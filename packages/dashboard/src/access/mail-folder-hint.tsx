import { Text } from '@mantine/core';
import { useFacts } from '../app/facts.ts';
import { useAccessText } from './messages.ts';

/**
 * Shows where mails are written on an installation without a mail server, because a newcomer would otherwise wait for
 * them.
 */
export function MailFolderHint() {
  const t = useAccessText();
  const { mails_to_folder: isFolder } = useFacts();
  return isFolder ? (
    <Text size="sm" c="dimmed">
      {t('mail_folder')}
    </Text>
  ) : null;
}
