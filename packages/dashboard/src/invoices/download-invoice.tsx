import { Button } from '@mantine/core';
import { useInvoicesText } from './messages.ts';

/** Saves the PDF of an invoice in a table. A draft has no number and no PDF. */
export function DownloadInvoice(props: { number: string | null; label: string; download: () => void }) {
  const { number, label, download } = props;
  const t = useInvoicesText();
  return (
    number !== null && (
      <Button size="compact-xs" variant="default" aria-label={t('download_of', { number })} onClick={download}>
        {label}
      </Button>
    )
  );
}
