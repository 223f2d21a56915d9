/** The structure of public templates of n8n, and what they become: types and ways alone, as `n8nFile` reads them. */
export const N8N_TEMPLATES = [
  {
    template: '[AI/LangChain] Output Parser 4',
    nodes: 'manualTrigger set lc.chainLlm lc.outputParserStructured lc.outputParserAutofixing lc.lmChatOpenAi lc.lmChatOpenAi',
    ways: '0>1 1>2 5:2 6:4 3:4 4:2',
    outline: 'transform model',
  },
  {
    template: '03 - Rassegna email mattutina con AI',
    nodes: 'scheduleTrigger gmail code if lc.openAi telegram',
    ways: '0>1 1>2 2>3 3>4 4>5',
    outline: 'tool transform choose(yes: model tool | otherwise: )',
  },
  {
    template: 'AI Agent : Google calendar assistant using OpenAI',
    nodes: 'lc.chatTrigger lc.lmChatOpenAi lc.memoryBufferWindow googleCalendarTool googleCalendarTool lc.agent',
    ways: '0>5 1:5 2:5 3:5 4:5',
    outline: 'model',
  },
  {
    template: 'AI Agent to chat with you Search Console Data, using OpenAI and Postgr',
    nodes:
      'lc.memoryPostgresChat lc.lmChatOpenAi set webhook respondToWebhook lc.toolWorkflow executeWorkflowTrigger switch set set set httpRequest httpRequest aggregate aggregate lc.agent',
    ways: '2>15 3>2 6>8 7>11 7.1>12 8>7 9>13 10>14 11>9 12>10 15>4 1:15 0:15 5:15',
    outline:
      'choose(way_1: transform model | way_2: transform choose(way_1: http transform transform | way_2: http transform transform | otherwise: ))',
  },
  {
    template: 'AI product Images',
    nodes:
      'manualTrigger googleDrive googleDrive lc.openAi googleDrive googleDrive lc.openAi lc.lmChatOpenAi lc.agent lc.outputParserStructured splitOut httpRequest splitInBatches wait convertToFile lc.openAi googleDrive',
    ways: '0>1 1>2 2>3 3>4 4>5 5>6 6>15 8>10 10>12 11>14 12.1>13 13>11 14>16 15>8 16>12 7:8 9:8',
    outline: 'tool tool model tool tool model model model transform for_each(each: wait http transform tool)',
  },
  {
    template: 'AI Social Media Caption Creator',
    nodes: 'lc.agent lc.lmChatOpenAi lc.memoryBufferWindow airtable wait set airtable airtableTrigger airtableTool',
    ways: '0>5 3>0 4>3 5>6 7>4 8:0 1:0 2:0',
    outline: 'wait tool model transform tool',
  },
  {
    template: 'AI Voice Chat using Webhook, Memory Manager, OpenAI, Google Gemini & E',
    nodes:
      'lc.memoryManager lc.memoryManager aggregate lc.memoryBufferWindow lc.lmChatGoogleGemini respondToWebhook httpRequest limit lc.chainLlm webhook lc.openAi',
    ways: '0>2 1>7 2>8 6>5 7>6 8>1 9>10 10>0 3:1 3:0 4:8',
    outline: 'model tool transform model tool transform http',
  },
  {
    template: 'AI-Powered Information Monitoring with OpenAI, Google Sheets, Jina AI ',
    nodes:
      'lc.lmChatOpenAi lc.chainLlm scheduleTrigger rssFeedRead lc.textClassifier googleSheets slack googleSheets code noOp if httpRequest set lc.lmChatOpenAi set googleSheets googleSheets set',
    ways: '1>6 1>17 2>7 3>8 4>11 4.1>14 5>3 7>12 8>10 10>4 10.1>9 11>1 12>5 14>15 17>16 0:1 13:4',
    outline:
      'tool transform tool tool transform choose(yes: model choose(way_1: http model parallel(way_1: tool | way_2: transform tool) | way_2: transform tool | otherwise: ) | otherwise: )',
  },
  {
    template: 'Analyze the sentiment of feedback and send a message on Mattermost',
    nodes: 'typeformTrigger googleCloudNaturalLanguage if mattermost noOp',
    ways: '0>1 1>2 2>3 2.1>4',
    outline: 'tool choose(yes: tool | otherwise: )',
  },
  {
    template: 'Ask a human',
    nodes: 'lc.memoryBufferWindow lc.toolWorkflow executeWorkflowTrigger lc.chatTrigger code code lc.agent if slack lc.lmChatOpenAi',
    ways: '2>7 3>6 7>8 7.1>4 8>5 9:6 1:6 0:6',
    outline: 'choose(way_1: choose(yes: tool transform | otherwise: transform) | way_2: model)',
  },
  {
    template: 'B2B Demo Lead Rescue Desk: Enrich, Score, Route, and SLA Escalate',
    nodes:
      'webhook code if set respondToWebhook httpRequest code set googleSheets switch set gmail set gmail set gmail if gmail set respondToWebhook',
    ways: '0>1 1>2 2>5 2.1>3 3>4 5>6 6>7 7>8 8>9 9>10 9.1>12 9.2>14 10>11 11>16 12>13 13>18 14>15 15>18 16>17 16.1>18 17>18 18>19',
    outline:
      'transform choose(yes: http transform transform tool choose(way_1: transform tool choose(yes: tool | otherwise: ) | way_2: transform tool | way_3: transform tool | otherwise: ) transform | otherwise: transform)',
  },
  {
    template: 'Build an OpenAI Assistant with Google Drive Integration',
    nodes: 'manualTrigger googleDrive lc.chatTrigger lc.memoryBufferWindow lc.openAi lc.openAi lc.openAi lc.openAi',
    ways: '0>4 0>1 1>5 2>7 5>6 3:7',
    outline: 'choose(way_1: model | way_2: tool model model | way_3: model)',
  },
  {
    template: 'Chat with Postgresql Database',
    nodes: 'lc.chatTrigger lc.agent lc.lmChatOpenAi postgresTool lc.memoryBufferWindow postgresTool postgresTool',
    ways: '0>1 4:1 5:1 2:1 3:1 6:1',
    outline: 'model',
  },
  {
    template: 'ClientFlow Lite Simple Onboarding (Email + Log)',
    nodes: 'webhook code gmail googleSheets respondToWebhook',
    ways: '0>1 1>2 1>3 3>4',
    outline: 'transform parallel(way_1: tool | way_2: tool)',
  },
  {
    template: 'Create and send Pennylane invoices from webhook data',
    nodes: 'webhook code httpRequest if httpRequest set httpRequest code if set wait httpRequest set if code if set',
    ways: '0>1 1>2 2>3 3>5 3.1>4 4>5 5>7 6>8 7>6 8>12 8.1>9 10>11 11>13 12>10 13>9 13.1>14 14>15 15>12 15.1>16',
    outline:
      'transform http choose(yes:  | otherwise: http) transform transform http choose(yes: transform wait http choose(yes: transform | otherwise: transform choose(yes:  | otherwise: transform)) | otherwise: transform)',
  },
  {
    template: 'Daily IMAP Email Summary to Telegram (Local Ollama)',
    nodes: 'manualTrigger scheduleTrigger executeCommand code code code httpRequest telegram if code code code httpRequest if',
    ways: '0>2 1>2 2>3 3>4 4>11 5>10 7>8 8>6 9>13 10>7 11>12 12>9 13>5',
    outline:
      'tool transform transform transform http transform choose(yes: transform transform tool choose(yes: http | otherwise: ) | otherwise: )',
  },
  {
    template: 'Deterministic Exact-Match Quote Guard for AI and OCR Inputs',
    nodes: 'code webhook code if code if respondToWebhook respondToWebhook respondToWebhook',
    ways: '0>8 1>2 2>3 3>4 3.1>0 4>5 5>6 5.1>7',
    outline: 'transform choose(yes: transform choose(yes:  | otherwise: ) | otherwise: transform)',
  },
  {
    template: 'Disk space watchdog with tiered thresholds and Telegram alert',
    nodes: 'scheduleTrigger ssh code if telegram! emailSend',
    ways: '0>1 1>2 2>3 3>4 4.1>5',
    outline: 'tool transform choose(yes: try(steps: tool | on_error: tool) | otherwise: )',
  },
  {
    template: 'Dynamically generate HTML page from user request using OpenAI Structur',
    nodes: 'respondToWebhook httpRequest lc.openAi html webhook',
    ways: '1>2 2>3 3>0 4>1',
    outline: 'http model transform',
  },
  {
    template: 'Effortless Email Management with AI',
    nodes:
      'emailReadImap markdown emailSend lc.vectorStoreQdrant lc.embeddingsOpenAi lc.chainSummarization lc.agent lc.lmChatOpenAi gmail lc.textClassifier set manualTrigger httpRequest httpRequest googleDrive googleDrive lc.documentDefaultDataLoader lc.textSplitterTokenSplitter lc.vectorStoreQdrant lc.embeddingsOpenAi lc.lmChatDeepSeek lc.agent',
    ways: '0>1 1>5 5>6 6>10 8>9 9>2 9.1>21 10>8 11>12 11>13 13>14 14>15 15>18 21>10 7:6 7:21 7:9 17:16 4:3 19:18 20:5 16:18 3:6 3:21',
    outline:
      'choose(way_1: transform model model transform tool model choose(way_1:  | way_2: model | otherwise: ) tool | way_2: http | way_3: http tool tool tool)',
  },
  {
    template: 'Email AI Auto-responder. Summerize and send email',
    nodes:
      'emailReadImap markdown lc.lmChatOpenAi emailSend lc.vectorStoreQdrant lc.embeddingsOpenAi lc.textClassifier lc.chainSummarization lc.agent lc.chainLlm manualTrigger httpRequest httpRequest googleDrive googleDrive lc.documentDefaultDataLoader lc.textSplitterTokenSplitter lc.vectorStoreQdrant lc.embeddingsOpenAi noOp lc.lmChatOpenAi lc.lmChatOpenAi lc.lmChatOpenAi',
    ways: '0>1 1>7 6>8 6.1>19 7>6 8>9 9>3 10>11 10>12 12>13 13>14 14>17 20:8 21:9 2:7 16:15 22:6 5:4 18:17 15:17 4:8',
    outline:
      'choose(way_1: transform model model choose(way_1: model model tool | way_2:  | otherwise: ) | way_2: http | way_3: http tool tool tool)',
  },
  {
    template: 'Extract personal data with a self-hosted LLM Mistral NeMo',
    nodes: 'lc.chatTrigger lc.lmChatOllama lc.outputParserAutofixing lc.outputParserStructured lc.chainLlm! noOp set',
    ways: '0>4 4>6 4.1>5 1:2 1:4 3:2 2:4',
    outline: 'try(steps: model transform | on_error: )',
  },
  {
    template: 'Generate Seedance videos with Vancine API and bounded polling',
    nodes: 'manualTrigger set httpRequest set wait httpRequest set merge code if set if stopAndError if stopAndError set',
    ways: '0>1 1>2 2>3 3>4 4>5 4>6 5>7 6>7 7>8 8>9 9>10 9.1>11 11>12 11.1>13 13>14 13.1>15 15>4',
    outline:
      'transform http transform wait parallel(way_1: http | way_2: transform) transform choose(yes: transform | otherwise: choose(yes: transform | otherwise: choose(yes: transform | otherwise: transform)))',
  },
  {
    template: 'Google analytics template',
    nodes:
      'scheduleTrigger manualTrigger googleAnalytics googleAnalytics code code googleAnalytics googleAnalytics code code googleAnalytics googleAnalytics code code httpRequest httpRequest httpRequest baserow',
    ways: '0>2 1>2 2>4 3>5 4>3 5>6 6>8 7>9 8>7 9>10 10>12 11>13 12>11 13>14 14>15 15>16 16>17',
    outline: 'tool transform tool transform tool transform tool transform tool transform tool transform http http http tool',
  },
  {
    template: 'Hugging Face to Notion',
    nodes: 'scheduleTrigger if splitInBatches splitOut httpRequest html notion httpRequest lc.openAi notion html',
    ways: '0>4 1>7 1.1>2 2.1>6 3>2 4>5 5>3 6>1 7>10 8>9 9>2 10>8',
    outline: 'http transform transform for_each(each: tool choose(yes: http transform model tool | otherwise: ))',
  },
  {
    template: 'Intelligent Web Query and Semantic Re-Ranking Flow',
    nodes:
      'dateTime webhook lc.outputParserAutofixing lc.outputParserAutofixing lc.outputParserStructured code respondToWebhook lc.chainLlm httpRequest httpRequest lc.chainLlm lc.lmChatAnthropic lc.lmChatOpenAi lc.outputParserStructured lc.lmChatGoogleGemini lc.lmChatGoogleGemini',
    ways: '0>10 1>0 5>7 7>6 8>5 10>8 15:7 15:10 14:2 14:3 3:10 4:3 13:2 2:7',
    outline: 'transform model http transform model',
  },
  {
    template: 'Microsoft Outlook AI Email Assistant',
    nodes:
      'manualTrigger microsoftOutlook lc.lmChatOpenAi microsoftOutlook lc.outputParserStructured if microsoftOutlook lc.agent scheduleTrigger scheduleTrigger mondayCom airtable markdown set airtable airtable airtable airtable splitInBatches merge',
    ways: '0>1 0>14 0>15 0>16 1>12 3>5 5>6 5.1>18 6>18 7>3 8>1 9>10 10>11 12>13 13>18 14>19 15>19 16>19 17>19 18.1>17 19>7 2:7 4:7',
    outline:
      'choose(way_1: tool transform transform for_each(each: tool model tool choose(yes: tool | otherwise: )) | way_2: tool model tool choose(yes:  | otherwise: for_each(each: tool)) tool for_each(each: tool) | way_3: tool model tool choose(yes:  | otherwise: for_each(each: tool)) tool for_each(each: tool) | way_4: tool model tool choose(yes:  | otherwise: for_each(each: tool)) tool for_each(each: tool) | way_5: tool tool)',
  },
  {
    template: 'OpenAI Assistant with custom n8n tools',
    nodes:
      'lc.manualChatTrigger lc.openAiAssistant executeWorkflowTrigger code if code set set lc.toolWorkflow summarize merge lc.toolCode',
    ways: '0>1 2>4 3>9 4>3 4.1>10 5>10 9>6 10>7 8:1 11:1',
    outline: 'choose(way_1: tool | way_2: choose(yes: transform transform transform | otherwise: transform))',
  },
  {
    template: 'Play with Spotify from Telegram',
    nodes: 'telegramTrigger lc.openAi spotify! spotify! spotify! spotify spotify! merge if set set telegram set',
    ways: '0>1 0>7 1>2 2>8 2.1>9 3>4 3.1>9 4>5 4.1>9 5>6 6>12 6.1>9 7>11 8>3 8.1>10 9>7 10>9 12>9',
    outline:
      'parallel(way_1: model try(steps: tool choose(yes: try(steps: tool | on_error: ) | otherwise: transform) | on_error: ) transform | way_2: ) tool',
  },
  {
    template: "Qualify new leads in Google Sheets via OpenAI's GPT-4",
    nodes: 'merge googleSheets set openAi googleSheetsTrigger',
    ways: '0>1 2>0 3>2 4>0 4>3',
    outline: 'parallel(way_1:  | way_2: model transform) tool',
  },
  {
    template: 'RAG on living data',
    nodes:
      'lc.embeddingsOpenAi lc.textSplitterTokenSplitter splitInBatches lc.chainRetrievalQa lc.retrieverVectorStore lc.lmChatOpenAi lc.chatTrigger scheduleTrigger limit limit supabase notion lc.documentDefaultDataLoader noOp notionTrigger notion lc.vectorStoreSupabase lc.vectorStoreSupabase summarize',
    ways: '2.1>10 6>3 7>15 8>11 9>2 10>8 11>18 13>2 14>13 15>13 17>9 18>17 1:12 0:17 0:16 5:3 12:17 16:4 4:3',
    outline:
      'choose(way_1: model | way_2: tool for_each(each: tool transform tool transform tool transform) | way_3: for_each(each: tool transform tool transform tool transform))',
  },
  {
    template: 'SERPBear analytics template',
    nodes: 'manualTrigger scheduleTrigger httpRequest code httpRequest baserow',
    ways: '0>2 1>2 2>3 3>4 4>5',
    outline: 'http transform http tool',
  },
  {
    template: 'Simple Telegram AI Bot (Lite)',
    nodes: 'telegramTrigger lc.agent lc.lmChatOpenAi lc.memoryBufferWindow telegram',
    ways: '0>1 1>4 2:1 3:1',
    outline: 'model tool',
  },
  {
    template: 'Social Media AI Agent - Telegram',
    nodes:
      'httpRequest code code httpRequest markdown filter noOp airtable linkedIn airtable airtable airtable twitter code scheduleTrigger merge lc.openAi telegram wait',
    ways: '0>1 1>10 1>15 2>3 3>4 4>16 5>11 7>6 8>9 9>6 10>15 11>17 12>7 13>5 14>0 15>2 16>13 17>18 18>12 18>8',
    outline:
      'http transform parallel(way_1: tool | way_2: ) transform http transform model transform choose(yes: tool tool wait parallel(way_1: tool tool | way_2: tool tool) | otherwise: )',
  },
  {
    template: 'SQL agent with memory',
    nodes:
      'lc.memoryBufferWindow lc.lmChatOpenAi manualTrigger httpRequest compression readWriteFile readWriteFile set lc.agent lc.chatTrigger',
    ways: '2>3 3>4 4>5 6>7 7>8 9>6 1:8 0:8',
    outline: 'choose(way_1: http transform transform | way_2: transform transform model)',
  },
  {
    template: 'Start/Stop a Docker service',
    nodes: 'webhook ssh ssh respondToWebhook respondToWebhook respondToWebhook respondToWebhook if if stopAndError if if',
    ways: '0>11 1>7 2>8 7>3 7.1>4 8>5 8.1>6 10>1 10.1>2 11>10 11.1>9',
    outline:
      'choose(yes: choose(yes: tool choose(yes:  | otherwise: ) | otherwise: tool choose(yes:  | otherwise: )) | otherwise: transform)',
  },
  {
    template: "Summarize Google Sheets form feedback via OpenAI's GPT-4",
    nodes: 'manualTrigger googleSheets aggregate openAi markdown gmail',
    ways: '0>1 1>2 2>3 3>4 4>5',
    outline: 'tool transform model transform tool',
  },
  {
    template: 'Telegram AI multi-format chatbot',
    nodes:
      'lc.lmChatOpenAi lc.memoryBufferWindow telegram telegramTrigger telegram set telegram! telegram lc.openAi telegram lc.agent switch',
    ways: '3>11 3>9 4>8 5>10 6.1>2 8>5 10>6 11>5 11.1>4 11.2>7 0:10 1:10',
    outline:
      'parallel(way_1: choose(way_1: transform model try(steps: tool | on_error: tool) | way_2: tool model transform model try(steps: tool | on_error: tool) | way_3: tool | otherwise: ) | way_2: tool)',
  },
  {
    template: 'Telegram RAG pdf',
    nodes:
      'telegramTrigger lc.embeddingsOpenAi lc.documentDefaultDataLoader lc.textSplitterRecursiveCharacterTextSplitter stopAndError lc.chainRetrievalQa lc.retrieverVectorStore lc.vectorStorePinecone lc.lmChatGroq if code telegram lc.embeddingsOpenAi telegram! telegram! stopAndError lc.vectorStorePinecone limit',
    ways: '0>9 5>13 9>11 9.1>5 10>16 11>10 13.1>4 14.1>15 16>17 17>14 12:7 8:5 1:16 2:16 7:6 6:5 3:2',
    outline:
      'choose(yes: tool transform tool transform try(steps: tool | on_error: transform) | otherwise: model try(steps: tool | on_error: transform))',
  },
  {
    template: 'Write a WordPress post with AI (starting from a few keywords)',
    nodes:
      'formTrigger set if splitOut merge code wordpress httpRequest httpRequest respondToWebhook respondToWebhook lc.openAi lc.toolWikipedia lc.openAi lc.openAi',
    ways: '0>1 1>13 2>3 2.1>10 3>4 3>14 4>5 5>6 6>11 7>8 8>9 11>7 13>2 14>4 12:13',
    outline: 'transform model choose(yes: transform parallel(way_1:  | way_2: model) transform tool model http http | otherwise: )',
  },
  {
    template: 'YouTube Videos with AI Summaries on Discord',
    nodes: 'rssFeedReadTrigger httpRequest httpRequest extractFromFile lc.openAi discord set',
    ways: '0>1 1>6 2>3 3>4 4>5 6>2',
    outline: 'http transform http transform model tool',
  },
  {
    template: 'Zoom AI Meeting Assistant',
    nodes:
      'lc.lmChatOpenAi manualTrigger stopAndError zoom set splitInBatches httpRequest extractFromFile set httpRequest lc.openAi set code emailSend lc.toolWorkflow lc.agent microsoftOutlookTool filter executeWorkflowTrigger splitOut clickUp httpRequest!',
    ways: '1>3 3>17 4>5 5>5 5.1>6 6>7 7>8 8>9 9>10 10>11 10>15 11>12 12>13 17>21 18>19 19>20 21>4 21.1>2 14:15 0:15 16:15',
    outline:
      'choose(way_1: tool choose(yes: try(steps: http transform for_each(each: ) http transform transform http model parallel(way_1: transform transform tool | way_2: model) | on_error: transform) | otherwise: ) | way_2: transform tool)',
  },
];
