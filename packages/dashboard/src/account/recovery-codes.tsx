import { Button, Group, Code as InlineCode, List, Stack, Text } from '@mantine/core';
import { CopyButton, Dialog } from '../ui/index.ts';
import { saveFile } from '../ui/save-file.ts';
import { useAccountText } from './messages.ts';

/** The recovery codes. A click outside the dialog does not close it. */
export function RecoveryCodes({ codes, close }: { codes: readonly string[] | undefined; close: () => void }) {
  const t = useAccountText();
  const text = codes?.join('\n') ?? '';
  return (
    <Dialog
      opened={codes !== undefined}
      onClose={close}
      title={t('recovery')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('kept') }}
    >
      <Stack gap="md">
        <Text size="sm">{t('recovery_text')}</Text>
        <List listStyleType="none" style={{ columns: 2 }}>
          {codes?.map((code) => (
            <List.Item key={code}>
              <InlineCode>{code}</InlineCode>
            </List.Item>
          ))}
        </List>
        <Group justify="space-between">
          <Group gap="xs">
            <CopyButton text={text} label={t('copy_codes')} />
            <Button
              variant="default"
              size="xs"
              onClick={() => saveFile(`${text}\n`, 'text/plain', 'recovery-codes.txt')}
            >
              {t('download_codes')}
            </Button>
          </Group>
          <Button onClick={close}>{t('kept')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
