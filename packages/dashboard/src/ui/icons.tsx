import type { ReactNode } from 'react';

// Drawn for the dashboard: an icon library would be the largest package to install.
const SHAPES = {
  overview: <path d="M3 9.5 10 4l7 5.5V16a1 1 0 0 1-1 1h-4v-5H8v5H4a1 1 0 0 1-1-1z" />,
  license: <path d="M6 3v8h6a2 2 0 0 1 2 2v4M6 11a2 2 0 0 0-2 2v4M7 17v-3h4v3" />,
  key: <path d="M12.5 3a4.5 4.5 0 1 1-1.2 8.8L9.5 13.5H8V15H6.5v1.5H3V14l5.2-5.2A4.5 4.5 0 0 1 12.5 3zM14 6.4v.1" />,
  webhook: <path d="M4 14h8m0 0-2.5-2.5M12 14l-2.5 2.5M16 6H8m0 0 2.5-2.5M8 6l2.5 2.5" />,
  event: <path d="M11 2.5 4.5 11H10l-1 6.5L15.5 9H10z" />,
  subscription: <path d="M4 8a6 6 0 0 1 11-2M16 3v3.5h-3.5M16 12a6 6 0 0 1-11 2M4 17v-3.5h3.5" />,
  invoice: <path d="M5 2.5h7L15.5 6v11.5h-11V3zM8 9h5M8 12h5" />,
  card: <path d="M2.5 5h15v10h-15zM2.5 8.5h15M5.5 12h3" />,
  usage: <path d="M3 17V9m4.7 8V3m4.6 14V7M17 17v-5" />,
  members: (
    <path d="M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 17a5.5 5.5 0 0 1 11 0M13 4a3 3 0 0 1 0 5.5M15 12.5a5.5 5.5 0 0 1 3 4.5" />
  ),
  project: <path d="M2.5 5h5l2 2h8v9.500h-15z" />,
  code: <path d="M7 6 3 10l4 4M13 6l4 4-4 4" />,
  clock: <path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6v4l2.500 2" />,
  settings: <path d="M3 6h7m4 0h3M3 14h3m4 0h7M12 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z" />,
  link: (
    <path d="M8.500 11.500a3 3 0 0 0 4.300 0l3-3a3 3 0 0 0-4.300-4.300l-1 1M11.500 8.500a3 3 0 0 0-4.300 0l-3 3a3 3 0 0 0 4.300 4.300l1-1" />
  ),
  audit: <path d="M4 4h12M4 8h12M4 12h7M4 16h5" />,
  app: <path d="M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM14 11v6M11 14h6" />,
  account: <path d="M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3.5 17.500a6.5 6.5 0 0 1 13 0" />,
  staff: <path d="M10 2.5 16.5 5v5c0 4-2.8 6.5-6.5 7.500C6.300 16.5 3.5 14 3.5 10V5zM7.5 10l2 2 3.5-4" />,
  copy: <path d="M7 7h9v10H7zM13 7V3H4v10h3" />,
  check: <path d="m4 10.5 4 4L16 6" />,
  more: <path d="M5 10h.01M10 10h.01M15 10h.01" />,
  plus: <path d="M10 4v12M4 10h12" />,
  close: <path d="m5 5 10 10M15 5 5 15" />,
  back: <path d="M16 10H4m5-5-5 5 5 5" />,
  search: <path d="M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.5 13.5 17.5 17.5" />,
  down: <path d="m5 8 5 5 5-5" />,
  download: <path d="M10 3v9m-4-4 4 4 4-4M4 16.5h12" />,
  circle: <path d="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14z" />,
  docs: (
    <path d="M4 3.500h5a1.5 1.5 0 0 1 1.5 1.500v12A1.5 1.5 0 0 0 9 15.500H4zM16.5 3.500h-4A1.5 1.5 0 0 0 11 5M16.5 3.500v12H12" />
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof SHAPES;

/** An icon next to equivalent text, so it is hidden from screen readers. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.5 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {SHAPES[name]}
    </svg>
  );
}
