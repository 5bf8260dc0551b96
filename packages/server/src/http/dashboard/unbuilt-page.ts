/** The page at `/` until the dashboard is built. */
export const UNBUILT_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The dashboard is not built</title>
</head>
<body>
<h1>The dashboard is not built</h1>
<p>Seathold is running, and the <a href="/docs">API</a> works. To build the dashboard, run this in Seathold&rsquo;s folder and reload the page:</p>
<pre>npm ci &amp;&amp; npm run build</pre>
</body>
</html>
`;
