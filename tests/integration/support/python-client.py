"""A stranger's MCP client, fastmcp, for tests/integration/served/serving-python.spec.ts.

Its one argument is JSON: `url`, `key`, `mode` (of fastmcp: 'auto' or 'legacy'), `pages` ('accept' or 'decline': it shows pages to its
person and answers so; null: it cannot), and `calls`, made at once by a client each. Writes lines of JSON: a page that a call
was sent to, and the result of each.
"""

import asyncio
import json
import sys

from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StreamableHttpTransport

given = json.loads(sys.argv[1])


def say(**line):
    print(json.dumps(line), flush=True)


async def call(number, tool):
    async def answer(message, response_type, params, context):
        say(call=number, asked=params.url)
        return ElicitResult(action=given["pages"])

    transport = StreamableHttpTransport(given["url"], headers={"Authorization": f"Bearer {given['key']}"})
    pages = {} if given["pages"] is None else {"elicitation_handler": answer}
    async with Client(transport, mode=given["mode"], **pages) as client:
        result = await client.call_tool(tool["name"], tool["arguments"], raise_on_error=False)
        say(call=number, version=client.protocol_version, result=result.structured_content, words=[one.text for one in result.content])


async def main():
    await asyncio.gather(*(call(number, tool) for number, tool in enumerate(given["calls"])))


asyncio.run(main())
