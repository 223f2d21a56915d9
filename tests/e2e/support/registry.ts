import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A registry on loopback that answers with these entries, in the format of the MCP registry. */
export async function startRegistry(entries: () => readonly unknown[]): Promise<{ address: string; stop(): Promise<void> }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ servers: entries() }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
