import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api, chooseOrganization } from '../api/index.ts';
import { FormDialog, Problem, Section, useAction } from '../ui/index.ts';
import { saveFile } from '../ui/save-file.ts';
import { useAccountText } from './messages.ts';

/** Exports the person's data, and deletes their account. */
export function DataPanel() {
  const t = useAccountText();
  const [isDeleting, setDeleting] = useState(false);
  const download = useAction(async () => {
    const data = JSON.stringify(await api().me.export({}), undefined, 2);
    saveFile(data, 'application/json', 'seathold-account.json');
  });
  const remove = useAction((password: string) => api().me.delete({ password }), {
    succeeds: () => {
      chooseOrganization(undefined);
      window.location.replace('/login');
    },
  });
  return (
    <Section title={t('data')}>
      <Stack gap="sm">
        <Text size="sm">{t('export_text')}</Text>
        {download.isError && <Problem error={download.error} />}
        <Group>
          <Button variant="default" loading={download.isPending} onClick={() => download.mutate(undefined)}>
            {t('export')}
          </Button>
          <Button variant="default" c="var(--danger)" onClick={() => setDeleting(true)}>
            {t('delete')}
          </Button>
        </Group>
      </Stack>
      <FormDialog
        title={t('delete')}
        isOpen={isDeleting}
        close={() => setDeleting(false)}
        submit={t('delete')}
        action={remove}
        read={(form) => String(form.get('password'))}
        isDangerous
      >
        <Text size="sm">{t('delete_text')}</Text>
        <PasswordInput label={t('current_password')} name="password" autoComplete="current-password" required />
      </FormDialog>
    </Section>
  );
}
