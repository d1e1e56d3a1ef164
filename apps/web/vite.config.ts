import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { STYLE_TARGET } from './build/browsers/oldest-browsers.ts'
import { compress } from './build/compress-plugin.ts'
import { leftOut } from './build/left-out-plugin.ts'
import { withoutNames } from './build/names-plugin.ts'
import { pages } from './build/pages-plugin.ts'
import { serviceWorkerFiles } from './build/service-worker-files.ts'
import { SHARED_CHUNKS } from './build/shared-chunks.ts'
import { staticBlocks } from './build/static-blocks-plugin.ts'
import { texts } from './build/texts-plugin.ts'

/** Chunks that the entry loads, so lazy parts of a page need not preload them. */
const ALWAYS_LOADED = /\/(base|react|rolldown-runtime)-[\w-]{7}\.js$/

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react({ jsxImportSource: '#jsx' }),
    texts(),
    withoutNames(),
    staticBlocks(),
    leftOut(),
    pages(),
    serviceWorkerFiles(),
    compress(),
  ],
  resolve: {
    // React has it itself.
    alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    // All styles together are about as small as those of a few pages, and take a single request.
    cssCodeSplit: false,
    // What the oldest browsers run of it is checked: build/browsers/find-uses.ts.
    target: 'es2022',
    cssTarget: [...STYLE_TARGET],
    // Files instead of data: URLs, so that the policy `default-src 'self'` needs no exception.
    assetsInlineLimit: 0,
    // The entry lists every chunk, so shorter hashes save as much as a small component takes.
    rolldownOptions: {
      input: {
        index: join(import.meta.dirname, 'index.html'),
        'service-worker': join(import.meta.dirname, 'service-worker/service-worker.ts'),
      },
      output: {
        // A service worker controls only pages at or below its own path.
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: { groups: SHARED_CHUNKS },
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
