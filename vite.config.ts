import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
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
