import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { contrastOf, mixColors } from './colors.ts';

const WHITE = '#ffffff';
const BLACK = '#000000';
const DARK_GROUND = '#1b1e25';
/** WCAG 2.2, 1.4.3. */
const READABLE = 4.5;

/** The look of the dashboard with the brand's color, which is moved toward black or white if it is not readable. */
export function createBrandTheme(color: string) {
  return createTheme({
    primaryColor: 'brand',
    primaryShade: { light: 6, dark: 6 },
    autoContrast: true,
    colors: { brand: shadesOf(color), red: shadesOf('#c22525'), dark: DARK },
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
    fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' } } },
    defaultRadius: 'md',
    cursorType: 'pointer',
    respectReducedMotion: true,
    focusRing: 'auto',
  });
}

/** Grays with a trace of blue, as on the login pages. */
const DARK: MantineColorsTuple = [
  '#d5d9e2',
  '#b6bcc8',
  '#9aa2b1',
  '#6c7585',
  '#3a404d',
  '#2c313c',
  '#23272f',
  '#1b1e25',
  '#14161c',
  '#0e1014',
];

/** Ten shades: 6 is the color itself, 7 is readable on white, 4 on the dark background. */
function shadesOf(color: string): MantineColorsTuple {
  const onWhite = moveUntilReadable(color, BLACK, WHITE);
  const onDark = moveUntilReadable(color, WHITE, DARK_GROUND);
  return [
    mixColors(color, WHITE, 0.94),
    mixColors(color, WHITE, 0.86),
    mixColors(color, WHITE, 0.7),
    mixColors(color, WHITE, 0.5),
    onDark,
    mixColors(color, WHITE, 0.12),
    color,
    onWhite,
    mixColors(onWhite, BLACK, 0.18),
    mixColors(onWhite, BLACK, 0.34),
  ];
}

function moveUntilReadable(color: string, toward: string, ground: string): string {
  for (let share = 0; share < 1; share += 0.05) {
    const moved = mixColors(color, toward, share);
    if (contrastOf(moved, ground) >= READABLE + 0.3) {
      return moved;
    }
  }
  return toward;
}

/** Mantine's own grays for hints and errors have too little contrast. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#16181d',
    '--mantine-color-dimmed': '#4f5868',
    '--mantine-color-placeholder': '#667085',
    '--mantine-color-error': '#b91c1c',
    '--mantine-color-anchor': 'var(--mantine-color-brand-7)',
    '--mantine-color-default-border': '#d7dbe3',
    '--ground': '#f7f8fa',
    '--success': '#15803d',
    '--warning': '#b45309',
    '--danger': '#b91c1c',
    '--idle': '#667085',
    '--sandbox-ground': '#fff3d6',
    '--sandbox-ink': '#6b3d00',
    '--sandbox-line': '#f0b429',
  },
  dark: {
    '--mantine-color-body': DARK_GROUND,
    '--mantine-color-text': '#eef0f4',
    '--mantine-color-dimmed': '#aeb5c2',
    '--mantine-color-placeholder': '#98a1b3',
    '--mantine-color-error': '#ff9f97',
    '--mantine-color-anchor': 'var(--mantine-color-brand-4)',
    '--ground': '#14161c',
    '--success': '#4ade80',
    '--warning': '#fbbf24',
    '--danger': '#ff9f97',
    '--idle': '#98a1b3',
    '--sandbox-ground': '#3b2a05',
    '--sandbox-ink': '#ffdf9e',
    '--sandbox-line': '#b7791f',
  },
});
