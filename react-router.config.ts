import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  // A pattern, because the server build has several entries (vite.config.ts).
  serverBuildFile: '[name].js',
  // Set by app/start.ts, which builds beside the present build and swaps.
  buildDirectory: process.env.QUORATE_BUILD_DIRECTORY ?? 'build',
} satisfies Config;
