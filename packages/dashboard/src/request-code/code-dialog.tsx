import { Anchor, NativeSelect, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { actingFor, isRead, type RecordedCall, useRecordedCalls } from '../api/index.ts';
import { recall, remember } from '../app/browser-memory.ts';
import { Code, Dialog } from '../ui/index.ts';
import { describeRequest } from './describe-request.ts';
import { formatCurl } from './format-curl.ts';
import { formatTypeScript } from './format-typescript.ts';
import { useRequestCodeText } from './messages.ts';

const LANGUAGES = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
] as const;
type Language = (typeof LANGUAGES)[number]['value'];

const KEPT_AT = 'seathold.code-language';
/** Operations that require a login. */
const OF_LOGINS: ReadonlySet<string> = new Set(['auth', 'apiTokens', 'oauthApps']);

/** The calls of this screen, and the last one that changed something, as programs. */
export function CodeDialog({ close }: { close: () => void }) {
  const t = useRequestCodeText();
  const [language, setLanguage] = useState<Language>(recall(KEPT_AT) === 'typescript' ? 'typescript' : 'curl');
  const calls = useShownCalls();
  const [id, setId] = useState(() => calls[0]?.id);
  const call = calls.find((each) => each.id === id) ?? calls[0];
  const choose = (to: Language) => {
    remember(KEPT_AT, to);
    setLanguage(to);
  };
  return (
    <Dialog opened onClose={close} title={t('title')} size="lg" closeButtonProps={{ 'aria-label': t('close') }}>
      {call === undefined ? (
        <Text size="sm">{t('nothing')}</Text>
      ) : (
        <Stack gap="md">
          <NativeSelect
            label={t('call')}
            value={String(call.id)}
            onChange={({ currentTarget }) => setId(Number(currentTarget.value))}
            data={calls.map((each) => ({ value: String(each.id), label: nameOf(each) }))}
          />
          <SegmentedControl
            aria-label={t('language')}
            size="xs"
            value={language}
            onChange={choose}
            data={[...LANGUAGES]}
          />
          <CallCode key={call.id} call={call} language={language} />
          <TokenHint call={call} close={close} />
        </Stack>
      )}
    </Dialog>
  );

  function nameOf(call: RecordedCall): string {
    return t(isRead(call) ? 'this_screen' : 'just_now', { call: `${call.resource}.${call.method}` });
  }
}

/** Calls that changed something come first, latest first, then the screen's reads. */
function useShownCalls(): readonly RecordedCall[] {
  const calls = useRecordedCalls();
  const [shown] = useState(() => {
    const latest = calls.toReversed();
    const reads = latest.filter((call) => isRead(call) && call.screen === window.location.pathname);
    return [...latest.filter((call) => !isRead(call)), ...reads];
  });
  return shown;
}

function CallCode({ call, language }: { call: RecordedCall; language: Language }) {
  const { data } = useQuery({
    queryKey: ['request-code', call.id],
    queryFn: async () => (await describeRequest(call)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined || data === null) {
    return <Skeleton height={150} radius="md" />;
  }
  const text =
    language === 'curl'
      ? formatCurl(data)
      : formatTypeScript({ ...call, baseUrl: window.location.origin, organizationId: data.organizationId });
  return <Code text={text} label={language === 'curl' ? 'curl' : 'TypeScript'} />;
}

function TokenHint({ call, close }: { call: RecordedCall; close: () => void }) {
  const t = useRequestCodeText();
  if (call.resource === 'operator' || actingFor !== undefined) {
    return <Hint text={t('staff_token')} />;
  }
  return OF_LOGINS.has(call.resource) ? (
    <Hint text={t('session_token')} />
  ) : (
    <Text size="sm" c="dimmed">
      {t('token')}{' '}
      <Anchor component={Link} to="/api-keys" size="sm" underline="always" onClick={close}>
        {t('create_key')}
      </Anchor>
    </Text>
  );
}

function Hint({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}
