/** Node answering a prepared string, and nothing else: what the kept pages are measured against. Size in bytes as argument; sends its port. */
import { createServer } from 'node:http';

const text = 'x'.repeat(Number(process.argv[2]));
const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': text.length }).end(text);
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address().port));
process.once('disconnect', () => process.exit(0));
