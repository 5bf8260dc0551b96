import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2023',
    // Every browser that the target names has it.
    modulePreload: { polyfill: false },
    // The policy of the page takes nothing from data: URLs but pictures.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
