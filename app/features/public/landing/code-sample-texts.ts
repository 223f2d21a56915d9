/** Calls from outside as they are typed: a test makes each of them. Words in capitals are the reader's own. */
export const codeSamples = (origin: string) => ({
  mcp: `{
  "mcpServers": {
    "quorate": {
      "type": "http",
      "url": "${origin}/mcp/WORKSPACE",
      "headers": {
        "Authorization": "Bearer API-KEY"
      }
    }
  }
}`,
  a2a: `curl ${origin}/a2a/WORKSPACE/WORKFLOW \\
  -H 'Authorization: Bearer API-KEY' \\
  -H 'Content-Type: application/json' \\
  -H 'A2A-Version: 1.0' \\
  -d '{"jsonrpc": "2.0", "id": 1,
       "method": "SendMessage",
       "params": {"message": {
         "messageId": "order-4711",
         "role": "ROLE_USER",
         "parts": [{"data": INPUT}]}}}'`,
  api: `curl ${origin}/api/v1/runs \\
  -H 'Authorization: Bearer API-KEY' \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: order-4711' \\
  -d '{"workflowId": "WORKFLOW",
       "input": INPUT}'`,
});
