import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** What `main.tsx` imports. */
const FIRST =
  /\/node_modules\/(react|react-dom|scheduler|i18next)\/|\/src\/(i18n\/|app\/(facts|lost-files|browser-memory)\.ts)|vite\/preload-helper|rolldown\/runtime/;

export default defineConfig({
  plugins: [react(), preloadShell()],
  build: {
    target: 'es2023',
    // Every browser that the target names has it.
    modulePreload: { polyfill: false },
    // The policy of the page takes nothing from data: URLs but pictures.
    assetsInlineLimit: 0,
    // The styles of single screens are few, and each file would be one more step before a screen is shown.
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // One file of what nearly every screen needs. As dozens of small files it would compress worse and load later.
        // The first script keeps what it imports itself.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'common', test: (id) => !FIRST.test(id), minShareCount: 30 }],
        },
      },
    },
  },
});

/**
 * Preloads the modules of the frame around every screen together with the page, which would otherwise be found in two
 * steps. The service leaves these links out for people who are not logged in.
 */
function preloadShell(): Plugin {
  return {
    name: 'preload-shell',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {}, chunk: entry }) => {
        const chunks = new Map(
          Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])),
        );
        const found = new Set<string>();
        const add = (fileName: string) => {
          if (!found.has(fileName) && fileName !== entry?.fileName) {
            found.add(fileName);
            chunks.get(fileName)?.imports.forEach(add);
          }
        };
        for (const chunk of chunks.values()) {
          if (/\/src\/app\/(app|shell)\.tsx$/.test(chunk.facadeModuleId ?? '')) {
            add(chunk.fileName);
          }
        }
        return [...found].map((fileName) => ({
          tag: 'link',
          // After the styles and the first script.
          attrs: { rel: 'modulepreload', crossorigin: true, fetchpriority: 'low', href: `/${fileName}` },
          injectTo: 'head',
        }));
      },
    },
  };
}
