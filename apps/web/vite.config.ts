import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { texts } from './build/texts-plugin.ts'

/** What every page needs from its first moment: one file of it compresses better than many small ones. */
const BASE =
  /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack|@lingui|use-sync-external-store)[\\/]/

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), texts()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // Files instead of data: URLs, so that the policy `default-src 'self'` needs no exception.
    assetsInlineLimit: 0,
    // The entry names every chunk: shorter hashes are worth as much as a small component.
    rolldownOptions: {
      output: {
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: { groups: [{ name: 'base', test: BASE }] },
      },
    },
    // The polyfill is for browsers older than the build target.
    modulePreload: { polyfill: false },
  },
})
