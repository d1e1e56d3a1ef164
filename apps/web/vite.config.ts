import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
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
      },
    },
    // The polyfill is for browsers older than the build target.
    modulePreload: { polyfill: false },
  },
})
