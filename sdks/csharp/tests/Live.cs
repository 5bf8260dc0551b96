// A keeper and a real service, where SEATHOLD_URL names one. See CONTRIBUTING.md, `npm run test:sdks`.

using System;
using System.Diagnostics;
using System.IO;
using System.Net.Http;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;

namespace Seathold.Tests
{
    internal static class Live
    {
        private static int failed;

        internal static int Run()
        {
            if (Variable("SEATHOLD_URL") == null)
            {
                Console.WriteLine("left out, because SEATHOLD_URL names no service");
                return 0;
            }
            AcquiresAndGivesBack().Wait();
            RefusesATokenWithALineBreak().Wait();
            WaitsInLine().Wait();
            GoesOffline().Wait();
            ActivatesByKey().Wait();
            GivesBackAtTheEnd().Wait();
            return failed == 0 ? 0 : 1;
        }

        /// <summary>The program of the last test: it ends without giving its seat back itself.</summary>
        internal static int Hold(string hardwareId)
        {
            var options = Options();
            options.HardwareId = hardwareId;
            Console.WriteLine(Seat.AcquireAsync(options).Result.SessionId);
            return 0;
        }

        private static string Variable(string name)
        {
            return Environment.GetEnvironmentVariable(name);
        }

        private static SeatOptions Options()
        {
            return new SeatOptions
            {
                BaseUrl = Variable("SEATHOLD_URL"),
                Token = Variable("SEATHOLD_TOKEN"),
                LicenseKey = Variable("SEATHOLD_LICENSE_KEY"),
                HardwareId = HardwareIds.Create(),
                // Mono keeps its own list of authorities, in which that of a test is not.
                Handler = new HttpClientHandler { AllowAutoRedirect = false, ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) => true },
            };
        }

        private static void Check(bool isGood, string what)
        {
            Console.WriteLine((isGood ? "ok: " : "not ok: ") + what);
            failed += isGood ? 0 : 1;
        }

        private static async Task<string> CodeOf(SeatOptions options, CancellationToken cancellation)
        {
            try
            {
                using (await Seat.AcquireAsync(options, cancellation)) { return "granted"; }
            }
            catch (SeatException error) { return error.Code; }
            catch (OperationCanceledException) { return "canceled"; }
        }

        private static async Task AcquiresAndGivesBack()
        {
            var options = Options();
            string reason = null;
            options.OnEvent = told => reason = (told as Granted)?.Reason;
            var seat = await Seat.AcquireAsync(options);
            Check(seat.State == SeatState.Held && reason == "acquired" && seat.SessionId.StartsWith("sess_"), "a seat is acquired");
            Check(seat.Features["ai_assistance"] is bool && seat.OfflineUntil == null, "its features are those of the license");
            await seat.ReleaseAsync();
            Check(seat.State == SeatState.Ended, "a seat is given back");
        }

        private static async Task RefusesATokenWithALineBreak()
        {
            var options = Options();
            var token = options.Token + "\n";
            options.Token = token;
            var isRefused = false;
            try { await Seat.AcquireAsync(options); }
            catch (ArgumentException) { isRefused = true; }
            Check(isRefused, "a token with a line break is refused");
            options.Token = null;
            options.TokenSource = _ => token;
            options.Timeout = TimeSpan.Zero;
            Check(await CodeOf(options, CancellationToken.None) == "invalid_argument", "a token with a line break from a function is refused");
        }

        private static async Task WaitsInLine()
        {
            var first = await Seat.AcquireAsync(Options());
            using (await Seat.AcquireAsync(Options()))
            {
                Check(await CodeOf(Options(), CancellationToken.None) == "no_seats_available", "a full license refuses");
                var options = Options();
                options.Wait = TimeSpan.FromSeconds(60);
                options.OnEvent = told =>
                {
                    if (told is Waiting) { first.ReleaseAsync(); }
                };
                using (var third = await Seat.AcquireAsync(options))
                {
                    Check(third.State == SeatState.Held, "a program that waits gets the next seat");
                    var cancellation = new CancellationTokenSource();
                    var impatient = Options();
                    impatient.Wait = TimeSpan.FromSeconds(60);
                    impatient.OnEvent = told => cancellation.Cancel();
                    Check(await CodeOf(impatient, cancellation.Token) == "canceled", "a program that gives up leaves the line");
                }
            }
        }

        private static async Task GoesOffline()
        {
            var path = Path.Combine(Path.GetTempPath(), "seathold-live-" + Guid.NewGuid() + ".json");
            var options = Options();
            options.Store = new FileStore(path);
            using (var seat = await Seat.AcquireAsync(options))
            {
                await seat.TakeOfflineAsync(TimeSpan.FromMinutes(10));
                Check(seat.OfflineUntil != null, "a seat goes offline");
                // Nobody answers at this port, so the next run has only what the first one stored.
                var next = Options();
                next.Store = options.Store;
                next.HardwareId = options.HardwareId;
                next.Issuer = options.BaseUrl;
                next.BaseUrl = "https://localhost:1";
                using (var resumed = await Seat.AcquireAsync(next))
                {
                    Check(resumed.SessionId == seat.SessionId && resumed.State == SeatState.Offline, "the next run finds the seat without a network");
                }
            }
            File.Delete(path);
        }

        private static async Task ActivatesByKey()
        {
            var options = Options();
            options.Token = null;
            options.LicenseKey = Variable("SEATHOLD_ACTIVATION_KEY");
            options.Name = "render node";
            using (var seat = await Seat.AcquireAsync(options)) { Check(seat.State == SeatState.Held, "a machine is activated with the license key"); }
        }

        private static async Task GivesBackAtTheEnd()
        {
            var options = Options();
            var start = new ProcessStartInfo("mono", Assembly.GetExecutingAssembly().Location + " hold " + options.HardwareId) { RedirectStandardOutput = true, UseShellExecute = false };
            string sessionId;
            using (var program = Process.Start(start))
            {
                sessionId = program.StandardOutput.ReadLine();
                program.WaitForExit();
            }
            // The same machine would get the session that it has, if it still had one.
            using (var seat = await Seat.AcquireAsync(options))
            {
                Check(!string.IsNullOrEmpty(sessionId) && seat.SessionId != sessionId, "a program that ends gives its seat back");
            }
        }
    }

    internal static class Program
    {
        private static int Main(string[] arguments)
        {
            switch (arguments.Length == 0 ? "" : arguments[0])
            {
                case "vectors": return Vectors.Run(arguments[1]);
                case "live": return Live.Run();
                case "hold": return Live.Hold(arguments[1]);
                default:
                    Console.Error.WriteLine("usage: vectors PATH | live | hold HARDWARE_ID");
                    return 2;
            }
        }
    }
}
