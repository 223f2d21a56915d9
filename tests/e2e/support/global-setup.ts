import { startRunningServer } from '#tests/support/running-server.ts';

/** One server on fresh data for all journeys; they find it by the two settings. Answers what ends it. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const server = await startRunningServer();
  process.env.QUORATE_E2E_ORIGIN = server.origin;
  process.env.QUORATE_E2E_DATA = server.dataDirectory;
  return () => server.remove();
}
