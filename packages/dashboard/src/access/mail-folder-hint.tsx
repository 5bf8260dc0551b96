import { Text } from '@mantine/core';
import { useFacts } from '../app/facts.ts';
import { useAccessText } from './messages.ts';

/** Where mails are on an installation that sends none, which a newcomer would otherwise wait for. */
export function MailFolderHint() {
  const t = useAccessText();
  const { mails_to_folder: isFolder } = useFacts();
  return isFolder ? (
    <Text size="sm" c="dimmed">
      {t('mail_folder')}
    </Text>
  ) : null;
}
