import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Zod tries whether code may be made of text when the first schema is built, before any module of ours could tell it not to; our
            // content security policy refuses it, and each page would report a violation.
            banner: ({ moduleIds }) =>
              moduleIds.some((id) => id.endsWith('/zod/v4/core/core.js')) ? 'globalThis.__zod_globalConfig = { jitless: true };' : '',
          },
        },
      },
    },
    ssr: {
      build: {
        rolldownOptions: {
          // One build for all processes and threads, so that they share every module.
          input: { server: './app/server.ts', worker: './app/worker.ts', 'auth-thread': './app/platform/embedded/auth-thread.ts' },
          // Flat, so that a thread's file stands beside whichever chunk starts it.
          output: { chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
  },
});
