import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { serviceWorkerFiles } from './build/service-worker-files.ts'
import { texts } from './build/texts-plugin.ts'

/** What every page needs from its first moment: one file of it compresses better than many small ones. */
const BASE =
  /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack|@lingui|use-sync-external-store)[\\/]/

/** Chunks that the entry loads, which no part of a page needs to preload again. */
const ALWAYS_LOADED =
  /\/(activity-store|activity\.texts|back-closes|base|client|clock|date|frame\.texts|glossary-button|icons|lazy-part|notice|preload-helper|public-config|return-place|rolldown-runtime|session|texts|toast-store|ui\.texts|wallet-provider)-[\w-]{7}\.js$/

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), texts(), serviceWorkerFiles()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // Files instead of data: URLs, so that the policy `default-src 'self'` needs no exception.
    assetsInlineLimit: 0,
    // The entry names every chunk: shorter hashes are worth as much as a small component.
    rolldownOptions: {
      input: {
        index: join(import.meta.dirname, 'index.html'),
        'service-worker': join(import.meta.dirname, 'service-worker/service-worker.ts'),
      },
      output: {
        // Where the service worker lies decides which pages it serves.
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: { groups: [{ name: 'base', test: BASE }] },
      },
    },
    modulePreload: {
      // The polyfill is for browsers older than the build target.
      polyfill: false,
      resolveDependencies: (_importer, files, { hostType }) =>
        hostType === 'js' ? files.filter((file) => !ALWAYS_LOADED.test(file)) : files,
    },
  },
})
