import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Screen } from './screens.ts';

const LOOKS = [
  ['', 'light'],
  ['-dark', 'dark'],
  ['-narrow', 'narrow'],
  ['-german', 'German'],
] as const;

/** Writes docs/gallery.md, which shows the pictures in the folder. */
export async function writeGalleryPage(folder: string, screens: readonly Screen[]): Promise<void> {
  const files = new Set(await readdir(folder));
  const shown = screens.map(({ name, title }) => {
    const others = LOOKS.filter(([suffix]) => suffix !== '' && files.has(`${name}${suffix}.webp`));
    const links = others.map(([suffix, look]) => `[${look}](images/gallery/${name}${suffix}.webp)`).join(' · ');
    return `### ${title}\n\n![${title}](images/gallery/${name}.webp)\n\n${links}\n`;
  });
  const mails = [...files].filter((file) => file.startsWith('mail-')).sort();
  const pictures = mails.map((file) => `![An email](images/gallery/${file})\n`);
  const text = [
    '# Gallery\n',
    'Every screen of the dashboard, with made-up data. `npm run gallery` retakes the pictures and checks each screen with axe-core.\n',
    ...shown,
    '## Emails\n',
    ...pictures,
  ];
  await writeFile(join(folder, '..', '..', 'gallery.md'), text.join('\n'));
}
