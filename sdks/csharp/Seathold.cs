// Keeps a floating license seat of Seathold: acquires it, sends heartbeats, survives outages, waits in line, goes offline, and
// gives it back. One file, for .NET, Mono and Unity (C# 7.3, .NET Standard 2.0 or later).
//
//     var seat = await Seat.AcquireAsync(new SeatOptions { BaseUrl = url, Token = token, LicenseKey = key });
//     seat.Lost += lost => SaveAndStop(lost.Reason);
//
// Every keeper behaves as docs/reference/seat-keeper.md says.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

namespace Seathold
{
    /// <summary>What a program is told about its seat: Granted, Waiting, Offline or Lost.</summary>
    public abstract class SeatEvent { }

    /// <summary>The program may run.</summary>
    public sealed class Granted : SeatEvent
    {
        /// <summary>acquired, reacquired, resumed, online or renewed.</summary>
        public string Reason;
        public string SessionId;
        /// <summary>Booleans, doubles and strings.</summary>
        public IReadOnlyDictionary<string, object> Features;
        public DateTimeOffset ExpiresAt;
    }

    /// <summary>The place in the waiting list. Told again when it changes.</summary>
    public sealed class Waiting : SeatEvent
    {
        public int Position;
        public DateTimeOffset ExpiresAt;
    }

    /// <summary>The service does not answer. The program may run until ExpiresAt. Reason is the code of the failure.</summary>
    public sealed class Offline : SeatEvent
    {
        public string Reason;
        public DateTimeOffset ExpiresAt;
    }

    /// <summary>The program must stop. If it is not final, the keeper goes on trying, and Granted follows if it succeeds.</summary>
    public sealed class Lost : SeatEvent
    {
        public string Reason;
        public bool IsFinal;
    }

    /// <summary>A refusal of the API, or a failure of the connection.</summary>
    public sealed class SeatException : Exception
    {
        public SeatException(string code, string message, int status = 0) : base(message)
        {
            Code = code;
            Status = status;
        }

        /// <summary>
        /// That of the API, for example no_seats_available, or connection_failed, timed_out, redirected, unexpected_answer,
        /// invalid_license_token, wait_expired, wait_canceled, not_held, superseded, ended.
        /// </summary>
        public string Code { get; }

        /// <summary>The HTTP status; 0 if the API did not answer.</summary>
        public int Status { get; }

        public IReadOnlyDictionary<string, object> Details { get; internal set; } = new Dictionary<string, object>();
        public string RequestId { get; internal set; }
        internal double? RetryAfterSeconds { get; set; }

        internal static SeatException Own(string code)
        {
            string message;
            return new SeatException(code, Messages.TryGetValue(code, out message) ? message : code);
        }

        private static readonly Dictionary<string, string> Messages = new Dictionary<string, string>
        {
            ["wait_expired"] = "No seat became free in time.",
            ["wait_canceled"] = "The wait for a seat was canceled.",
            ["revoked"] = "The license token was revoked.",
            ["not_held"] = "There is no seat to take offline.",
            ["ended"] = "The seat has ended.",
            ["offline_too_long"] = "The license token expired while the service could not be reached.",
            ["superseded"] = "Another call takes the seat offline.",
            ["aborted"] = "The program gave up waiting for the seat.",
            ["unexpected_answer"] = "The response lacks a required field.",
        };
    }

    /// <summary>What a program may do. Held and Offline mean that it may run.</summary>
    public enum SeatState { Acquiring, Held, Offline, Lost, Ended }

    /// <summary>Holds one text for the next run of the program. It contains tokens, so others must not be able to read it.</summary>
    public interface ISeatStore
    {
        /// <summary>Returns what was saved last, or null.</summary>
        string Load();

        void Save(string text);
    }

    /// <summary>A file in a folder that only its user can read. A crash leaves the old text or the new one, never half of one.</summary>
    public sealed class FileStore : ISeatStore
    {
        private readonly string path;

        public FileStore(string path)
        {
            this.path = path;
        }

        public string Load()
        {
            return File.Exists(path) ? File.ReadAllText(path, Encoding.UTF8) : null;
        }

        public void Save(string text)
        {
            var folder = Path.GetDirectoryName(Path.GetFullPath(path));
            Directory.CreateDirectory(folder);
            var fresh = path + ".new";
            File.WriteAllText(fresh, text, new UTF8Encoding(false));
            if (File.Exists(path))
            {
                File.Replace(fresh, path, null);
            }
            else
            {
                File.Move(fresh, path);
            }
        }
    }

    /// <summary>What a seat is asked for with. BaseUrl and LicenseKey are needed.</summary>
    public sealed class SeatOptions
    {
        /// <summary>Where the service is; https only.</summary>
        public string BaseUrl;
        public string LicenseKey;
        /// <summary>An access token, API token or activation token. Without any, the machine is activated with the license key.</summary>
        public string Token;
        /// <summary>Asked before each request instead of Token. It gets whether the service refused the last token.</summary>
        public Func<bool, string> TokenSource;
        /// <summary>hw_ and 32 characters of a-z and 0-9. By default it is derived from the machine's own ID.</summary>
        public string HardwareId;
        /// <summary>What admins see with the session. `hostname` and `client_version` have columns of their own.</summary>
        public IDictionary<string, object> Metadata;
        /// <summary>The name of the machine in the list of activations.</summary>
        public string Name;
        /// <summary>How long to wait in line if all seats are in use, up to an hour. By default not at all.</summary>
        public TimeSpan Wait;
        /// <summary>Takes the seat for this time without heartbeats.</summary>
        public TimeSpan Offline;
        /// <summary>How long to keep trying while the service does not answer.</summary>
        public TimeSpan Timeout = TimeSpan.FromSeconds(30);
        /// <summary>Gets all events, also those from before there is a seat.</summary>
        public Action<SeatEvent> OnEvent;
        /// <summary>
        /// Where events are told: in Unity, the main thread if Acquire is called there. By default the context of the caller of
        /// AcquireAsync, otherwise a thread of the keeper.
        /// </summary>
        public SynchronizationContext EventContext = SynchronizationContext.Current;
        /// <summary>Keeps the seat for the next run of the program, so that it starts without a network.</summary>
        public ISeatStore Store;
        /// <summary>The `iss` of the license tokens. By default BaseUrl.</summary>
        public string Issuer;
        /// <summary>The `aud` of the license tokens.</summary>
        public string Audience = "seathold-client";
        /// <summary>Whether the seat is released when the process exits.</summary>
        public bool ReleaseAtExit = true;
        /// <summary>Sends the requests, for example with your own certificates. It must not follow redirects.</summary>
        public HttpMessageHandler Handler;
    }

    /// <summary>
    /// A seat that keeps itself: it sends heartbeats, survives outages, gets another session when one is lost, and is released
    /// when it is disposed or the process exits.
    /// </summary>
    public sealed class Seat : IDisposable
    {
        private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);
        private readonly Keeper keeper;
        private readonly SystemRuntime runtime;
        private readonly TaskCompletionSource<bool> first = NewSource<bool>();
        private readonly TaskCompletionSource<bool> ended = NewSource<bool>();

        /// <summary>The program may run.</summary>
        public event Action<Granted> Granted;

        /// <summary>The service does not answer. The program may run until the token expires.</summary>
        public event Action<Offline> Offline;

        /// <summary>The program must stop.</summary>
        public event Action<Lost> Lost;

        private Seat(SeatOptions options)
        {
            var given = ReadOptions(options);
            given.OnFirst = error =>
            {
                if (error == null) { first.TrySetResult(true); } else { first.TrySetException(error); }
            };
            given.OnEnd = () => ended.TrySetResult(true);
            given.OnEvent = told => Tell(options, told);
            runtime = new SystemRuntime(options.Handler);
            keeper = new Keeper(given, runtime);
        }

        /// <summary>
        /// Takes a seat, waiting in line for one if Wait says so. Throws SeatException, ArgumentException for a wrong option, and
        /// OperationCanceledException.
        /// </summary>
        public static async Task<Seat> AcquireAsync(SeatOptions options, CancellationToken cancellation = default(CancellationToken))
        {
            cancellation.ThrowIfCancellationRequested();
            var seat = new Seat(options);
            EventHandler exit = (sender, arguments) => seat.Leave();
            if (options.ReleaseAtExit)
            {
                AppDomain.CurrentDomain.ProcessExit += exit;
                _ = seat.ended.Task.ContinueWith(ended => AppDomain.CurrentDomain.ProcessExit -= exit);
            }
            seat.runtime.Post(seat.keeper.Start);
            using (cancellation.Register(() => seat.runtime.Post(() => seat.keeper.Abort(SeatException.Own("aborted")))))
            {
                try
                {
                    await seat.first.Task.ConfigureAwait(false);
                }
                catch (SeatException error) when (error.Code == "aborted" && cancellation.IsCancellationRequested)
                {
                    throw new OperationCanceledException(error.Message, error, cancellation);
                }
            }
            return seat;
        }

        /// <summary>The newest session, also after it was lost.</summary>
        public string SessionId { get { return keeper.Last.SessionId; } }

        /// <summary>The newest license token.</summary>
        public string LicenseToken { get { return keeper.Last.Token.LicenseToken; } }

        /// <summary>Booleans, doubles and strings.</summary>
        public IReadOnlyDictionary<string, object> Features { get { return keeper.Last.Token.Features; } }

        /// <summary>Until when the program may run without reaching the service.</summary>
        public DateTimeOffset ExpiresAt { get { return Times.ToTime(keeper.Last.Token.ExpiresAtMs); } }

        /// <summary>Until when the seat needs no heartbeat, if it is an offline seat.</summary>
        public DateTimeOffset? OfflineUntil
        {
            get
            {
                var until = keeper.Last.OfflineUntilMs;
                return until == null ? (DateTimeOffset?)null : Times.ToTime(until.Value);
            }
        }

        public SeatState State { get { return keeper.CurrentState; } }

        /// <summary>Completes when the seat was released, or lost for good.</summary>
        public Task Ended { get { return ended.Task; } }

        /// <summary>Keeps the seat for this time without heartbeats, if the license allows it. Throws SeatException.</summary>
        public Task TakeOfflineAsync(TimeSpan duration)
        {
            var result = NewSource<bool>();
            runtime.Post(() => keeper.TakeOffline(duration.TotalSeconds, error =>
            {
                if (error == null) { result.TrySetResult(true); } else { result.TrySetException(error); }
            }));
            return result.Task;
        }

        /// <summary>Gives the seat back and stops. Completes when the service has confirmed it or cannot be reached.</summary>
        public Task ReleaseAsync()
        {
            runtime.Post(keeper.Release);
            return ended.Task;
        }

        /// <summary>Gives the seat back, and waits at most five seconds for the service.</summary>
        public void Dispose()
        {
            ReleaseAsync().Wait(Patience);
            runtime.Dispose();
        }

        private void Leave()
        {
            runtime.Post(keeper.Exit);
            ended.Task.Wait(Patience);
        }

        private void Tell(SeatOptions options, SeatEvent told)
        {
            Action tell = () =>
            {
                options.OnEvent?.Invoke(told);
                if (told is Granted) { Granted?.Invoke((Granted)told); }
                if (told is Offline) { Offline?.Invoke((Offline)told); }
                if (told is Lost) { Lost?.Invoke((Lost)told); }
            };
            if (options.EventContext == null)
            {
                tell();
            }
            else
            {
                options.EventContext.Post(_ => tell(), null);
            }
        }

        private static TaskCompletionSource<T> NewSource<T>()
        {
            // Without it, what awaits the task would go on in the keeper's thread.
            return new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        private static KeeperOptions ReadOptions(SeatOptions options)
        {
            Uri url;
            var text = (options.BaseUrl ?? "").TrimEnd('/');
            if (!Uri.TryCreate(text, UriKind.Absolute, out url) || url.Scheme != "https" || url.Query != "" || url.Fragment != "" || url.UserInfo != "")
            {
                throw new ArgumentException("BaseUrl must be the https address of the service, without a query");
            }
            if (!Service.IsSendable(options.Token)) { throw new ArgumentException("Token must be printable ASCII characters without spaces"); }
            if (string.IsNullOrEmpty(options.LicenseKey)) { throw new ArgumentException("LicenseKey is needed"); }
            var hardwareId = options.HardwareId ?? HardwareIds.Derive();
            if (hardwareId == null) { throw new ArgumentException("HardwareId is needed: this machine has no ID of its own that can be read"); }
            if (!HardwareIds.Form.IsMatch(hardwareId)) { throw new ArgumentException("HardwareId must be hw_ and 32 characters of a-z and 0-9"); }
            return new KeeperOptions
            {
                Service = new ServiceOptions
                {
                    BaseUrl = text,
                    Issuer = options.Issuer ?? text,
                    Audience = options.Audience,
                    LicenseKey = options.LicenseKey,
                    HardwareId = hardwareId,
                    Metadata = options.Metadata,
                    Name = options.Name,
                    Token = options.TokenSource ?? (_ => options.Token),
                },
                Config = new Config
                {
                    WaitSeconds = options.Wait.TotalSeconds,
                    OfflineSeconds = options.Offline.TotalSeconds,
                    TimeoutSeconds = options.Timeout.TotalSeconds,
                    CanRefreshToken = options.TokenSource != null,
                },
                HasToken = options.Token != null || options.TokenSource != null,
                Store = options.Store,
            };
        }
    }

    /// <summary>Hardware IDs: hashes, so that nobody learns a machine's own ID from them.</summary>
    public static class HardwareIds
    {
        internal static readonly Regex Form = new Regex("^hw_[a-z0-9]{32}$");

        private static readonly Dictionary<string, Regex> Patterns = new Dictionary<string, Regex>
        {
            ["linux"] = new Regex(@"^\s*([0-9a-f]{32})\s*$", RegexOptions.IgnoreCase),
            ["darwin"] = new Regex("\"IOPlatformUUID\"\\s*=\\s*\"([0-9a-f-]+)\"", RegexOptions.IgnoreCase),
            ["win32"] = new Regex(@"\bMachineGuid\s+REG_SZ\s+([0-9a-f-]+)", RegexOptions.IgnoreCase),
        };

        /// <summary>The hardware ID of this machine, or null where its own ID cannot be read.</summary>
        public static string Derive()
        {
            string id = null;
            if (RuntimeInformation.IsOSPlatform(OSPlatform.Linux))
            {
                id = Find("linux", Read("/etc/machine-id")) ?? Find("linux", Read("/var/lib/dbus/machine-id"));
            }
            else if (RuntimeInformation.IsOSPlatform(OSPlatform.OSX))
            {
                id = Find("darwin", Run("/usr/sbin/ioreg", "-rd1 -c IOPlatformExpertDevice"));
            }
            else if (RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
            {
                // A program of 32 bits would see another part of the registry without the last argument.
                id = Find("win32", Run("reg", @"query HKLM\SOFTWARE\Microsoft\Cryptography /v MachineGuid /reg:64"));
            }
            return id == null ? null : Hash(id);
        }

        /// <summary>A random hardware ID, for a machine that has no ID of its own. Store it, or each run is another machine.</summary>
        public static string Create()
        {
            var random = new byte[16];
            using (var generator = RandomNumberGenerator.Create()) { generator.GetBytes(random); }
            return "hw_" + Hex(random, 16);
        }

        internal static string Hash(string machineId)
        {
            using (var sha256 = SHA256.Create())
            {
                var content = "seathold:hardware-id:1:" + machineId.Trim().ToLowerInvariant();
                return "hw_" + Hex(sha256.ComputeHash(Encoding.UTF8.GetBytes(content)), 16);
            }
        }

        internal static string Find(string platform, string output)
        {
            var found = Patterns[platform].Match(output);
            return found.Success ? found.Groups[1].Value.ToLowerInvariant() : null;
        }

        private static string Hex(byte[] bytes, int count)
        {
            return string.Concat(bytes.Take(count).Select(each => each.ToString("x2", CultureInfo.InvariantCulture)));
        }

        private static string Read(string path)
        {
            try { return File.ReadAllText(path); }
            catch (Exception error) when (error is IOException || error is UnauthorizedAccessException) { return ""; }
        }

        private static string Run(string program, string arguments)
        {
            try
            {
                var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, UseShellExecute = false, CreateNoWindow = true };
                using (var process = Process.Start(start)) { return process.StandardOutput.ReadToEnd(); }
            }
            catch (Exception error) when (error is InvalidOperationException || error is System.ComponentModel.Win32Exception) { return ""; }
        }
    }

    internal static class Times
    {
        internal static DateTimeOffset ToTime(double ms)
        {
            return DateTimeOffset.FromUnixTimeMilliseconds((long)ms);
        }

        /// <summary>ISO 8601 in UTC with milliseconds, as the API writes it.</summary>
        internal static string Format(double ms)
        {
            return ToTime(ms).UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
        }

        internal static double? Parse(object value)
        {
            DateTimeOffset read;
            var text = value as string;
            var isTime = text != null && DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out read);
            return isTime ? DateTimeOffset.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal).ToUnixTimeMilliseconds() : (double?)null;
        }

        internal static double? ParseHttp(string text)
        {
            DateTimeOffset read;
            var isTime = DateTimeOffset.TryParseExact(text ?? "", "r", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out read);
            return isTime ? read.ToUnixTimeMilliseconds() : (double?)null;
        }
    }

    // ---------------------------------------------------------------------------------------------------------------------
    // The rules. They keep no time and do no input or output.
    // ---------------------------------------------------------------------------------------------------------------------

    /// <summary>Pauses and limits of docs/reference/seat-keeper.md.</summary>
    internal static class Rules
    {
        internal const double MostAcquirePauseMs = 30000;
        internal const double MostPollPauseMs = 10000;
        internal const double MostLostPauseMs = 60000;
        internal const double LeastPollMs = 1000;
        internal const int PollTimeoutSeconds = 25;
        internal const double RevocationsEveryMs = 600000;
        internal const int ReleaseAttempts = 3;
        internal const double LongestTimerMs = 86400000;
        internal const double KeysEveryMs = 60000;
        /// <summary>A free seat is reserved for this time.</summary>
        internal const double ReservedMs = 30000;

        /// <summary>The session is gone, but the program may have another one.</summary>
        internal static readonly HashSet<string> SessionEnded = new HashSet<string> { "session_timeout", "session_released", "not_found" };
        internal static readonly HashSet<string> TokenRefused = new HashSet<string> { "invalid_token", "token_expired" };

        /// <summary>The pause before the next attempt after this many failures in a row.</summary>
        internal static double Backoff(int failures, double mostMs, double random)
        {
            return Math.Min(mostMs, 1000 * Math.Pow(2, Math.Min(failures - 1, 20))) * (0.5 + 0.5 * random);
        }

        /// <summary>The same for a service that may say when it wants to be asked again.</summary>
        internal static double Retry(double? retryAfterSeconds, int failures, double mostMs, Moment now)
        {
            return retryAfterSeconds == null ? Backoff(failures, mostMs, now.Random) : Math.Min(retryAfterSeconds.Value, 300) * 1000 + 1000 * now.Random;
        }

        /// <summary>About half of the interval, so that one heartbeat may fail.</summary>
        internal static double HeartbeatDelay(double intervalSeconds, double random)
        {
            return intervalSeconds * 1000 * (0.4 + 0.2 * random);
        }

        internal static double MostHeartbeatPause(double intervalSeconds)
        {
            return Math.Max(1000, Math.Min(30000, intervalSeconds * 500));
        }
    }

    /// <summary>The two clocks of a machine, in milliseconds, and a random number from 0 up to 1.</summary>
    internal struct Moment
    {
        internal double MonoMs;
        internal double WallMs;
        internal double Random;
    }

    /// <summary>The service's time, estimated from its last answer and the machine's two clocks, whichever is faster.</summary>
    internal sealed class ServerClock
    {
        private double serverMs;
        private Moment at;

        internal ServerClock(Moment at, double seenMs)
        {
            this.at = at;
            serverMs = Math.Max(at.WallMs, seenMs);
        }

        /// <summary>Notes the Date of an answer.</summary>
        internal void Observe(double nowMs, Moment moment)
        {
            serverMs = nowMs;
            at = moment;
        }

        internal double NowMs(Moment now)
        {
            return serverMs + Math.Max(0, Math.Max(now.MonoMs - at.MonoMs, now.WallMs - at.WallMs));
        }
    }

    internal enum ActivationNeed { None, Needed, Stored }

    /// <summary>What a seat is asked for with, as far as the rules need it. 0 seconds mean none.</summary>
    internal sealed class Config
    {
        internal double WaitSeconds;
        internal double OfflineSeconds;
        internal double TimeoutSeconds;
        internal bool CanRefreshToken;
        internal ActivationNeed Activation;
    }

    internal sealed class VerifiedToken
    {
        internal string LicenseToken;
        internal string SessionId;
        internal string LicenseId;
        internal IReadOnlyDictionary<string, object> Features;
        internal double ExpiresAtMs;
    }

    /// <summary>A seat whose token was verified.</summary>
    internal sealed class HeldSeat
    {
        internal VerifiedToken Token;
        internal string SessionId;
        internal double HeartbeatInterval;
        internal double? OfflineUntilMs;
    }

    internal enum RequestKind { Activate, Acquire, Poll, Leave, Heartbeat, Release, Revocations }

    internal sealed class Request
    {
        internal RequestKind Kind;
        internal double WaitSeconds;
        internal double OfflineSeconds;
        /// <summary>Of the wait or the session.</summary>
        internal string Id;
        internal int TimeoutSeconds;
    }

    internal sealed class Place
    {
        internal string WaitId;
        internal int Position;
        internal string ExpiresAt;
        internal double PollAfterSeconds;
    }

    /// <summary>What became of a request. Tokens in it are verified.</summary>
    internal abstract class Outcome { }
    internal sealed class GrantedSeat : Outcome { internal HeldSeat Seat; }
    internal sealed class Placed : Outcome { internal Place Place; }
    internal sealed class WaitEnded : Outcome { internal string Status; internal string Reason; }
    /// <summary>The session continues, perhaps with a new token.</summary>
    internal sealed class Kept : Outcome { internal VerifiedToken Token; }
    internal sealed class Listed : Outcome { internal HashSet<string> Revoked; }
    internal sealed class Done : Outcome { }
    /// <summary>It stands: repeating the request changes nothing.</summary>
    internal sealed class Refused : Outcome { internal SeatException Error; }
    /// <summary>No answer, or one that asks for another attempt.</summary>
    internal sealed class Failed : Outcome { internal SeatException Error; }

    /// <summary>What the rules want done.</summary>
    internal interface IEffects
    {
        void Send(int id, Request request, bool refreshesToken);
        /// <summary>The answer to this request is of no interest any more.</summary>
        void Abandon(int id);
        /// <summary>Sets the timer `next` or `expiry`. Without a delay, it stops.</summary>
        void SetTimer(string name, double? delayMs);
        void Tell(SeatEvent told, HeldSeat seat);
        /// <summary>The first acquire succeeded, or failed.</summary>
        void AnswerFirst(SeatException error);
        /// <summary>TakeOffline succeeded, or failed.</summary>
        void AnswerOffline(SeatException error);
        /// <summary>What should survive the program has changed.</summary>
        void Save(HeldSeat seat);
        /// <summary>Nothing more will happen.</summary>
        void End();
    }

    internal enum Phase { Acquiring, Activating, Waiting, Held, Lost, Releasing, Ended }

    /// <summary>
    /// The state machine of docs/reference/seat-keeper.md. Each method takes what happened and when. What has to be done is
    /// noted, and done when the method has ended. At most one request is in flight.
    /// </summary>
    internal sealed class Machine
    {
        private sealed class InFlight
        {
            internal int Id;
            internal Request Request;
            internal double SentMs;
            internal bool HasFreshToken;
        }

        private readonly Config config;
        private readonly ServerClock clock;
        private readonly IEffects effects;
        private readonly List<Action> notes = new List<Action>();
        private InFlight inFlight;
        /// <summary>A seat from an earlier run of the program, whose token is still good.</summary>
        private HeldSeat stored;
        private Place place;
        /// <summary>Requests in a row that failed, and when the first of them was sent.</summary>
        private int failures;
        private double failingSinceMs;
        private double waitUntilMs;
        /// <summary>When the service last confirmed the seat.</summary>
        private double keptMs;
        private double nextHeartbeatMs;
        private double listedMs = double.NegativeInfinity;
        private bool mayActivateAgain;
        /// <summary>Why the session ended, until another one is granted.</summary>
        private string cause;
        private bool isReleasing;
        /// <summary>The seconds that TakeOffline asks for, or 0.</summary>
        private double wantsOffline;
        /// <summary>Whether the service had no room for another request that waits.</summary>
        private bool isBusy;
        private int lastId;

        internal Machine(Config config, ServerClock clock, HeldSeat stored, IEffects effects)
        {
            this.config = config;
            this.clock = clock;
            this.stored = stored;
            this.effects = effects;
            mayActivateAgain = config.Activation == ActivationNeed.Stored;
        }

        internal Phase Phase { get; private set; }
        internal HeldSeat Seat { get; private set; }
        internal bool IsOffline { get; private set; }
        /// <summary>Whether the first acquire has succeeded.</summary>
        internal bool IsSettled { get; private set; }

        internal void Start(Moment now)
        {
            waitUntilMs = now.MonoMs + config.WaitSeconds * 1000;
            if (config.Activation == ActivationNeed.Needed) { Activate(now); } else { Acquire(now); }
            Flush();
        }

        /// <summary>A request ended. Answers to requests that were abandoned change nothing.</summary>
        internal void Answered(int id, Outcome outcome, Moment now)
        {
            var asked = inFlight;
            if (asked != null && asked.Id == id)
            {
                inFlight = null;
                var refusal = outcome as Refused;
                var isTokenRefused = refusal != null && Rules.TokenRefused.Contains(refusal.Error.Code);
                if (isTokenRefused && config.CanRefreshToken && !asked.HasFreshToken)
                {
                    Send(asked.Request, now, true);
                }
                else
                {
                    Take(asked, outcome, now);
                }
            }
            Flush();
        }

        internal void Timer(string name, Moment now)
        {
            if (name == "next" || CheckExpiry(now)) { Next(now); }
            Flush();
        }

        /// <summary>The machine may have slept, or has a network again: nothing is worth waiting for.</summary>
        internal void Wake(Moment now)
        {
            var kind = inFlight?.Request.Kind;
            if (kind == RequestKind.Poll || kind == RequestKind.Heartbeat) { Abandon(); }
            Next(now);
            Flush();
        }

        /// <summary>Gives the seat back, or the place in line, or stops asking.</summary>
        internal void Release(Moment now)
        {
            if (isReleasing || Phase == Phase.Ended) { return; }
            isReleasing = true;
            StopTimers();
            // The answer to an acquire may be a seat, which has to be given back.
            if (inFlight?.Request.Kind != RequestKind.Acquire)
            {
                Abandon();
                GiveBack(now);
            }
            Flush();
        }

        /// <summary>The program ends. An offline seat stays for its next run.</summary>
        internal void Exit(Moment now)
        {
            if (isReleasing || (Seat?.OfflineUntilMs ?? 0) <= clock.NowMs(now))
            {
                Release(now);
                return;
            }
            Finish(false);
            Flush();
        }

        /// <summary>Asks for the seat to need no heartbeat for this time.</summary>
        internal void TakeOffline(double seconds, Moment now)
        {
            wantsOffline = seconds;
            if (Phase != Phase.Held || isReleasing)
            {
                AnswerOffline(SeatException.Own("not_held"));
            }
            else
            {
                Next(now);
            }
            Flush();
        }

        private void Flush()
        {
            var noted = notes.ToArray();
            notes.Clear();
            foreach (var each in noted) { each(); }
        }

        private void Next(Moment now)
        {
            if (inFlight != null || Phase == Phase.Ended) { return; }
            if (isReleasing)
            {
                var before = failures;
                GiveBack(now);
                failures = before;
            }
            else if (Phase == Phase.Held)
            {
                ContinueHolding(now);
            }
            else
            {
                ContinueAcquiring(now);
            }
        }

        private void Take(InFlight asked, Outcome outcome, Moment now)
        {
            var kind = asked.Request.Kind;
            if (isReleasing) { TakeWhileReleasing(asked.Request, outcome, now); }
            else if (kind == RequestKind.Activate) { TakeActivation(outcome, now); }
            else if (kind == RequestKind.Heartbeat) { TakeHeartbeat(outcome, now); }
            else if (kind == RequestKind.Revocations) { TakeRevocations(outcome, now); }
            else if (Phase == Phase.Held) { TakeOfflineAnswer(outcome, now); }
            else { TakeAcquire(asked, outcome, now); }
        }

        // What the rules do everywhere.

        private void Send(Request request, Moment now, bool hasFreshToken = false)
        {
            var id = ++lastId;
            if (failures == 0) { failingSinceMs = now.MonoMs; }
            inFlight = new InFlight { Id = id, Request = request, SentMs = now.MonoMs, HasFreshToken = hasFreshToken };
            SetTimer("next", null);
            notes.Add(() => effects.Send(id, request, hasFreshToken));
        }

        private void Abandon()
        {
            if (inFlight == null) { return; }
            var id = inFlight.Id;
            inFlight = null;
            notes.Add(() => effects.Abandon(id));
        }

        private void SetTimer(string name, double? delayMs)
        {
            notes.Add(() => effects.SetTimer(name, delayMs));
        }

        /// <summary>Waits before the next request.</summary>
        private void Pause(double delayMs)
        {
            SetTimer("next", Math.Max(0, delayMs));
        }

        private void StopTimers()
        {
            SetTimer("next", null);
            SetTimer("expiry", null);
        }

        private void Save(HeldSeat seat)
        {
            notes.Add(() => effects.Save(seat));
        }

        private void Tell(SeatEvent told, HeldSeat seat = null)
        {
            notes.Add(() => effects.Tell(told, seat));
        }

        private void TellGranted(string reason, HeldSeat seat)
        {
            var token = seat.Token;
            Tell(new Granted { Reason = reason, SessionId = seat.SessionId, Features = token.Features, ExpiresAt = Times.ToTime(token.ExpiresAtMs) }, seat);
        }

        private void TellOffline(string reason, HeldSeat seat)
        {
            Tell(new Offline { Reason = reason, ExpiresAt = Times.ToTime(seat.Token.ExpiresAtMs) }, seat);
        }

        private int Fails()
        {
            return ++failures;
        }

        /// <summary>Asks for a seat. All attempts before the first seat share the time for which the program wants to wait.</summary>
        private void Acquire(Moment now)
        {
            var wait = config.WaitSeconds;
            if (wait > 0 && !IsSettled) { wait = Math.Max(1, Math.Floor((waitUntilMs - now.MonoMs) / 1000)); }
            Phase = Phase.Acquiring;
            place = null;
            Send(new Request { Kind = RequestKind.Acquire, WaitSeconds = wait, OfflineSeconds = config.OfflineSeconds }, now);
        }

        /// <summary>The program can have no seat, or must stop using the one that it had.</summary>
        private void Fail(SeatException error)
        {
            if (IsSettled) { Tell(new Lost { Reason = error.Code, IsFinal = true }); }
            else { notes.Add(() => effects.AnswerFirst(error)); }
            Finish(true);
        }

        private void Finish(bool forgets)
        {
            Abandon();
            Phase = Phase.Ended;
            Seat = null;
            StopTimers();
            if (forgets) { Save(null); }
            AnswerOffline(SeatException.Own("ended"));
            notes.Add(effects.End);
        }

        private void AnswerOffline(SeatException error)
        {
            if (wantsOffline <= 0) { return; }
            wantsOffline = 0;
            notes.Add(() => effects.AnswerOffline(error));
        }

        /// <summary>Tells the program, once, that it must stop for now.</summary>
        private void LoseForNow()
        {
            if (cause != null && Seat != null)
            {
                Seat = null;
                Tell(new Lost { Reason = cause });
                SetTimer("expiry", null);
                Save(null);
            }
            Phase = Phase.Lost;
        }

        // While there is no seat.

        private void Activate(Moment now)
        {
            Phase = Phase.Activating;
            mayActivateAgain = false;
            Send(new Request { Kind = RequestKind.Activate }, now);
        }

        private void ContinueAcquiring(Moment now)
        {
            if (Phase == Phase.Activating)
            {
                Activate(now);
            }
            else if (Phase == Phase.Waiting && place != null)
            {
                Send(new Request { Kind = RequestKind.Poll, Id = place.WaitId, TimeoutSeconds = isBusy ? 0 : Rules.PollTimeoutSeconds }, now);
            }
            else
            {
                Acquire(now);
            }
        }

        private void TakeActivation(Outcome outcome, Moment now)
        {
            if (outcome is Done)
            {
                failures = 0;
                Acquire(now);
            }
            else if (outcome is Failed) { RetryFirst((Failed)outcome, now); }
            else if (outcome is Refused) { Fail(((Refused)outcome).Error); }
        }

        /// <summary>The answer to an acquire or a poll.</summary>
        private void TakeAcquire(InFlight asked, Outcome outcome, Moment now)
        {
            if (outcome is GrantedSeat) { Grant(((GrantedSeat)outcome).Seat, IsSettled ? "reacquired" : "acquired", now); }
            else if (outcome is Placed) { Wait(((Placed)outcome).Place, asked, now); }
            else if (outcome is WaitEnded) { TakeEndOfWait((WaitEnded)outcome, now); }
            else if (outcome is Failed) { Retry(asked.Request, (Failed)outcome, now); }
            else if (outcome is Refused) { TakeRefusal(asked.Request, ((Refused)outcome).Error, now); }
        }

        private void TakeRefusal(Request request, SeatException error, Moment now)
        {
            var isGone = request.Kind == RequestKind.Poll && Rules.SessionEnded.Contains(error.Code);
            if (isGone || (IsSettled && error.Code == "no_seats_available")) { AcquireLater(null, now); }
            else if (mayActivateAgain && Rules.TokenRefused.Contains(error.Code)) { Activate(now); }
            else { Fail(error); }
        }

        private void Retry(Request request, Failed failure, Moment now)
        {
            var retryAfter = failure.Error.RetryAfterSeconds;
            if (request.Kind == RequestKind.Poll && now.MonoMs <= waitUntilMs + Rules.ReservedMs)
            {
                isBusy = failure.Error.Code == "service_unavailable";
                Pause(Math.Min(Rules.ReservedMs / 2, Rules.Retry(retryAfter, Fails(), Rules.MostPollPauseMs, now)));
            }
            else if (IsSettled) { AcquireLater(retryAfter, now); }
            else if (stored == null) { RetryFirst(failure, now); }
            else { Resume(stored, failure, now); }
        }

        /// <summary>Before there ever was a seat, the program is not kept waiting for a service that does not answer.</summary>
        private void RetryFirst(Failed failure, Moment now)
        {
            var delayMs = Rules.Retry(failure.Error.RetryAfterSeconds, Fails(), Rules.MostAcquirePauseMs, now);
            if (now.MonoMs + delayMs > failingSinceMs + config.TimeoutSeconds * 1000) { Fail(failure.Error); }
            else { Pause(delayMs); }
        }

        /// <summary>The program that had a seat stops for now, and the keeper keeps asking for another.</summary>
        private void AcquireLater(double? retryAfterSeconds, Moment now)
        {
            place = null;
            if (IsSettled) { LoseForNow(); } else { Phase = Phase.Acquiring; }
            Pause(Rules.Retry(retryAfterSeconds, Fails(), Rules.MostLostPauseMs, now));
        }

        private void Wait(Place next, InFlight asked, Moment now)
        {
            var isNew = asked.Request.Kind == RequestKind.Acquire;
            failures = 0;
            if (IsSettled)
            {
                LoseForNow();
                if (isNew) { waitUntilMs = now.MonoMs + asked.Request.WaitSeconds * 1000; }
            }
            Phase = Phase.Waiting;
            if (place == null || place.WaitId != next.WaitId || place.Position != next.Position)
            {
                Tell(new Waiting { Position = next.Position, ExpiresAt = Times.ToTime(Times.Parse(next.ExpiresAt) ?? 0) });
            }
            place = next;
            if (isNew)
            {
                isBusy = false;
                ContinueAcquiring(now);
            }
            else if (isBusy)
            {
                isBusy = false;
                Pause(next.PollAfterSeconds * 1000);
            }
            else
            {
                // A service that is about to stop answers at once.
                Pause(Rules.LeastPollMs - (now.MonoMs - asked.SentMs));
            }
        }

        /// <summary>The wait ended without a seat. If the machine slept when it was its turn, it may join again.</summary>
        private void TakeEndOfWait(WaitEnded end, Moment now)
        {
            var isCanceled = end.Status == "canceled";
            if (isCanceled && end.Reason != null && end.Reason != "left") { Fail(SeatException.Own(end.Reason)); }
            else if (IsSettled) { AcquireLater(null, now); }
            else if (!isCanceled && waitUntilMs - now.MonoMs >= 1000) { Acquire(now); }
            else { Fail(SeatException.Own(isCanceled ? "wait_canceled" : "wait_expired")); }
        }

        // While there is a seat.

        private void Grant(HeldSeat seat, string reason, Moment now)
        {
            Phase = Phase.Held;
            Seat = seat;
            place = null;
            stored = null;
            cause = null;
            IsOffline = false;
            Save(seat);
            TellGranted(reason, seat);
            Settle();
            CheckExpiry(now);
            Confirm(now);
        }

        /// <summary>The service cannot be reached, but a token from an earlier run of the program is still good.</summary>
        private void Resume(HeldSeat seat, Failed failure, Moment now)
        {
            Phase = Phase.Held;
            Seat = seat;
            stored = null;
            IsOffline = true;
            keptMs = now.MonoMs;
            TellGranted("resumed", seat);
            TellOffline(failure.Error.Code, seat);
            Settle();
            failures = 0;
            CheckExpiry(now);
            PauseAfterFailure(seat, failure, now);
        }

        private void Settle()
        {
            if (IsSettled) { return; }
            IsSettled = true;
            notes.Add(() => effects.AnswerFirst(null));
        }

        private void ContinueHolding(Moment now)
        {
            if (Seat == null) { return; }
            if (wantsOffline > 0) { Send(new Request { Kind = RequestKind.Acquire, OfflineSeconds = wantsOffline }, now); }
            else if (cause != null) { Acquire(now); }
            else { Send(new Request { Kind = RequestKind.Heartbeat, Id = Seat.SessionId }, now); }
        }

        private void TakeHeartbeat(Outcome outcome, Moment now)
        {
            if (Seat == null) { return; }
            var refusal = outcome as Refused;
            if (outcome is Kept) { Keep(((Kept)outcome).Token, now); }
            else if (outcome is Failed) { MissHeartbeat((Failed)outcome, now); }
            else if (refusal != null && Rules.SessionEnded.Contains(refusal.Error.Code))
            {
                cause = refusal.Error.Code;
                failures = 0;
                // Another copy of the program on this machine may have released the session, or an admin. Only the latter is listed.
                if (cause == "session_released") { Send(new Request { Kind = RequestKind.Revocations }, now); }
                else { Acquire(now); }
            }
            else if (refusal != null) { Fail(refusal.Error); }
        }

        private void TakeRevocations(Outcome outcome, Moment now)
        {
            if (Seat == null) { return; }
            var list = outcome as Listed;
            if (list != null)
            {
                listedMs = now.MonoMs;
                if (list.Revoked.Contains(Seat.SessionId) || list.Revoked.Contains(Seat.Token.LicenseId))
                {
                    Fail(SeatException.Own("revoked"));
                    return;
                }
            }
            if (cause == null) { AwaitNextHeartbeat(now); } else { Acquire(now); }
        }

        /// <summary>The answer to an acquire that was to take the seat offline. If it failed, the seat stays as it was.</summary>
        private void TakeOfflineAnswer(Outcome outcome, Moment now)
        {
            if (outcome is GrantedSeat)
            {
                wantsOffline = 0;
                Grant(((GrantedSeat)outcome).Seat, "renewed", now);
                // Last, for what waits for it must find the seat stored.
                notes.Add(() => effects.AnswerOffline(null));
                return;
            }
            var error = (outcome as Failed)?.Error ?? (outcome as Refused)?.Error ?? SeatException.Own("unexpected_answer");
            AnswerOffline(error);
            AwaitNextHeartbeat(now);
        }

        /// <summary>Ends the seat when its token is no longer good. The timer may fire early: then it is set again.</summary>
        private bool CheckExpiry(Moment now)
        {
            if (Seat == null) { return false; }
            var leftMs = Seat.Token.ExpiresAtMs - clock.NowMs(now);
            if (leftMs > 0)
            {
                SetTimer("expiry", Math.Min(leftMs, Rules.LongestTimerMs));
                return false;
            }
            if (cause == null)
            {
                Abandon();
                cause = "offline_too_long";
            }
            LoseForNow();
            AnswerOffline(SeatException.Own("offline_too_long"));
            return true;
        }

        private void Keep(VerifiedToken token, Moment now)
        {
            var wasOffline = IsOffline;
            IsOffline = false;
            if (token != null)
            {
                Seat = new HeldSeat { Token = token, SessionId = Seat.SessionId, HeartbeatInterval = Seat.HeartbeatInterval, OfflineUntilMs = Seat.OfflineUntilMs };
                Save(Seat);
            }
            if (wasOffline) { TellGranted("online", Seat); }
            // Also because the clocks may have jumped since the timer was set.
            CheckExpiry(now);
            Confirm(now);
        }

        /// <summary>The service has just confirmed the seat.</summary>
        private void Confirm(Moment now)
        {
            if (Seat == null) { return; }
            failures = 0;
            keptMs = now.MonoMs;
            nextHeartbeatMs = now.MonoMs + Rules.HeartbeatDelay(Seat.HeartbeatInterval, now.Random);
            if (now.MonoMs - listedMs >= Rules.RevocationsEveryMs) { Send(new Request { Kind = RequestKind.Revocations }, now); }
            else { AwaitNextHeartbeat(now); }
        }

        private void AwaitNextHeartbeat(Moment now)
        {
            if (wantsOffline > 0) { ContinueHolding(now); } else { Pause(nextHeartbeatMs - now.MonoMs); }
        }

        private void MissHeartbeat(Failed failure, Moment now)
        {
            var seat = Seat;
            if (!CheckExpiry(now))
            {
                // One lost request is no outage: the program is told when a heartbeat is overdue.
                if (!IsOffline && now.MonoMs - keptMs >= seat.HeartbeatInterval * 1000)
                {
                    IsOffline = true;
                    TellOffline(failure.Error.Code, seat);
                }
                AnswerOffline(failure.Error);
            }
            PauseAfterFailure(seat, failure, now);
        }

        private void PauseAfterFailure(HeldSeat seat, Failed failure, Moment now)
        {
            var retryAfter = failure.Error.RetryAfterSeconds;
            // A busy service may name a time after which the seat would be gone.
            if (retryAfter != null) { retryAfter = Math.Min(retryAfter.Value, seat.HeartbeatInterval); }
            Pause(Rules.Retry(retryAfter, Fails(), Rules.MostHeartbeatPause(seat.HeartbeatInterval), now));
        }

        // While it is given back.

        private void GiveBack(Moment now)
        {
            Phase = Phase.Releasing;
            failures = 0;
            if (Seat != null) { Send(new Request { Kind = RequestKind.Release, Id = Seat.SessionId }, now); }
            else if (place != null) { Send(new Request { Kind = RequestKind.Leave, Id = place.WaitId }, now); }
            else { Finish(true); }
        }

        /// <summary>An answer that arrives when the program no longer wants a seat.</summary>
        private void TakeWhileReleasing(Request request, Outcome outcome, Moment now)
        {
            // Nothing is known of a first acquire whose answer was lost. Its seat, if any, times out.
            var mayRepeat = Seat != null || place != null;
            if (outcome is GrantedSeat)
            {
                Seat = ((GrantedSeat)outcome).Seat;
                GiveBack(now);
            }
            else if (outcome is Placed)
            {
                place = ((Placed)outcome).Place;
                GiveBack(now);
            }
            else if (outcome is Failed && failures < Rules.ReleaseAttempts - 1 && mayRepeat)
            {
                Pause(Rules.Backoff(Fails(), Rules.MostAcquirePauseMs, now.Random));
            }
            else if ((outcome as Refused)?.Error.Code == "conflict" && request.Kind == RequestKind.Leave)
            {
                // It was this machine's turn at that moment. The answer names the session, which is released next.
                Send(new Request { Kind = RequestKind.Poll, Id = request.Id }, now);
            }
            else { Finish(true); }
        }
    }

    // ---------------------------------------------------------------------------------------------------------------------
    // The service: requests, answers, and the tokens in them.
    // ---------------------------------------------------------------------------------------------------------------------

    /// <summary>Verifies license tokens and revocation lists.</summary>
    internal static class Tokens
    {
        /// <summary>A new token may come from a service whose clock runs a little ahead.</summary>
        private const double ToleranceSeconds = 60;

        internal sealed class Expectations
        {
            internal string Issuer;
            internal string Audience;
            internal string HardwareId;
            /// <summary>Null: any session.</summary>
            internal string SessionId;
            internal double NowMs;
            internal HashSet<string> Revoked = new HashSet<string>();
        }

        internal sealed class RevocationList
        {
            internal double IssuedAt;
            internal HashSet<string> Revoked = new HashSet<string>();
        }

        internal sealed class Parsed
        {
            internal IDictionary<string, object> Header;
            internal IDictionary<string, object> Claims;
            internal byte[] Content;
            internal byte[] Signature;
        }

        /// <summary>The token of a good text, or null with its first fault.</summary>
        internal static VerifiedToken VerifyLicenseToken(string text, IList<IDictionary<string, object>> keys, Expectations expected, out string fault)
        {
            var token = Verify(text, keys, "JWT", out fault);
            fault = fault ?? FindFault(token.Claims, expected);
            if (fault != null) { return null; }
            var features = Json.Get(token.Claims, "features") as IDictionary<string, object> ?? new Dictionary<string, object>();
            return new VerifiedToken
            {
                LicenseToken = text,
                SessionId = (string)token.Claims["jti"],
                LicenseId = (string)token.Claims["lic"],
                Features = features.Where(each => each.Value is bool || each.Value is double || each.Value is string).ToDictionary(each => each.Key, each => each.Value),
                ExpiresAtMs = (double)token.Claims["exp"] * 1000,
            };
        }

        /// <summary>A list that has expired is still better than none.</summary>
        internal static RevocationList VerifyRevocations(string text, IList<IDictionary<string, object>> keys, string issuer, out string fault)
        {
            var token = Verify(text, keys, "revocations+jwt", out fault);
            if (fault != null) { return null; }
            var issuedAt = Json.Get(token.Claims, "iat") as double?;
            var ids = Json.Get(token.Claims, "revoked") as IList<object>;
            if (!Equals(Json.Get(token.Claims, "iss"), issuer)) { fault = "issuer"; }
            else if (issuedAt == null || ids == null) { fault = "malformed"; }
            return fault != null ? null : new RevocationList { IssuedAt = issuedAt.Value, Revoked = new HashSet<string>(ids.OfType<string>()) };
        }

        /// <summary>The keys of a key set (RFC 7517 section 5).</summary>
        internal static IList<IDictionary<string, object>> ParseKeySet(object set)
        {
            var keys = Json.Get(set, "keys") as IList<object>;
            return keys == null ? new List<IDictionary<string, object>>() : keys.OfType<IDictionary<string, object>>().ToList();
        }

        internal static IDictionary<string, object> FindKey(IList<IDictionary<string, object>> keys, object keyId)
        {
            return keys.FirstOrDefault(key => Equals(Json.Get(key, "kid"), keyId) && Equals(Json.Get(key, "kty"), "RSA"));
        }

        /// <summary>The parts of a JWS in compact form (RFC 7515 section 7.1), or null. Nothing is verified yet.</summary>
        internal static Parsed Parse(string text)
        {
            var parts = text.Split('.');
            if (parts.Length != 3) { return null; }
            var decoded = parts.Select(Decode).ToArray();
            if (decoded.Any(each => each == null)) { return null; }
            var header = Json.Parse(Text(decoded[0])) as IDictionary<string, object>;
            var claims = Json.Parse(Text(decoded[1])) as IDictionary<string, object>;
            var content = Encoding.ASCII.GetBytes(parts[0] + "." + parts[1]);
            return header == null || claims == null ? null : new Parsed { Header = header, Claims = claims, Content = content, Signature = decoded[2] };
        }

        private static Parsed Verify(string text, IList<IDictionary<string, object>> keys, string type, out string fault)
        {
            var token = Parse(text);
            var key = token == null ? null : FindKey(keys, Json.Get(token.Header, "kid"));
            fault = token == null ? "malformed"
                : !Equals(Json.Get(token.Header, "alg"), "RS256") ? "algorithm"
                : !Equals(Json.Get(token.Header, "typ"), type) ? "type"
                : key == null ? "unknown_key"
                : !IsSigned(key, token) ? "signature"
                : null;
            return fault == null ? token : null;
        }

        private static bool IsSigned(IDictionary<string, object> key, Parsed token)
        {
            var modulus = Decode(Json.Get(key, "n") as string ?? "");
            var exponent = Decode(Json.Get(key, "e") as string ?? "");
            if (modulus == null || exponent == null || modulus.Length < 256) { return false; }
            using (var rsa = RSA.Create())
            using (var sha256 = SHA256.Create())
            {
                try
                {
                    rsa.ImportParameters(new RSAParameters { Modulus = modulus, Exponent = exponent });
                    return rsa.VerifyHash(sha256.ComputeHash(token.Content), token.Signature, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
                }
                catch (CryptographicException) { return false; }
            }
        }

        private static string FindFault(IDictionary<string, object> claims, Expectations expected)
        {
            var now = expected.NowMs / 1000;
            var sessionId = Json.Get(claims, "jti") as string;
            var licenseId = Json.Get(claims, "lic") as string;
            var expires = Json.Get(claims, "exp") as double?;
            var notBefore = Json.Get(claims, "nbf") as double?;
            return sessionId == null || licenseId == null || expires == null ? "malformed"
                : !Equals(Json.Get(claims, "iss"), expected.Issuer) ? "issuer"
                : !Equals(Json.Get(claims, "aud"), expected.Audience) ? "audience"
                : !Equals(Json.Get(claims, "hw"), expected.HardwareId) ? "hardware"
                : expected.SessionId != null && sessionId != expected.SessionId ? "session"
                : notBefore > now + ToleranceSeconds ? "not_yet_valid"
                : expires <= now ? "expired"
                : expected.Revoked.Contains(sessionId) || expected.Revoked.Contains(licenseId) ? "revoked"
                : null;
        }

        /// <summary>Base64url without padding (RFC 4648 section 5), or null.</summary>
        private static byte[] Decode(string part)
        {
            if (part.Length == 0 || part.Any(each => !(each < 128 && char.IsLetterOrDigit(each)) && each != '-' && each != '_')) { return null; }
            try
            {
                return Convert.FromBase64String(part.Replace('-', '+').Replace('_', '/') + new string('=', (4 - part.Length % 4) % 4));
            }
            catch (FormatException) { return null; }
        }

        private static string Text(byte[] bytes)
        {
            try { return new UTF8Encoding(false, true).GetString(bytes); }
            catch (ArgumentException) { return ""; }
        }
    }

    internal enum Expected { Data, Json, Bytes, Nothing }

    /// <summary>A request of the keeper as HTTP.</summary>
    internal sealed class HttpCall
    {
        internal string Method;
        internal string Path;
        internal double TimeoutMs;
        internal bool NeedsToken = true;
        /// <summary>Members that are null are not sent.</summary>
        internal Dictionary<string, object> Body;
        internal Expected Expected;
    }

    internal sealed class HttpAnswer
    {
        internal int Status;
        /// <summary>Names in lower case.</summary>
        internal Dictionary<string, string> Headers = new Dictionary<string, string>();
        internal string Body = "";

        internal string Header(string name)
        {
            string value;
            return Headers.TryGetValue(name, out value) ? value : null;
        }
    }

    internal sealed class ServiceOptions
    {
        internal string BaseUrl;
        internal string Issuer;
        internal string Audience;
        internal string LicenseKey;
        internal string HardwareId;
        internal IDictionary<string, object> Metadata;
        internal string Name;
        /// <summary>Gets whether the service refused the last token.</summary>
        internal Func<bool, string> Token;
    }

    /// <summary>
    /// What a keeper needs of its machine. Everything happens on one thread: what is called back here runs after what runs now,
    /// and never at the same time. Tests give a keeper a virtual machine. Each method returns how to cancel.
    /// </summary>
    internal interface IRuntime
    {
        Moment Now();
        Action SetTimer(double delayMs, Action run);
        Action Send(string method, string url, Dictionary<string, string> headers, string body, Action<HttpAnswer, SeatException> take);
        Action OnWake(Action wake);
    }

    /// <summary>What is known without a network.</summary>
    internal sealed class Memory
    {
        internal string ActivationToken;
        internal IList<IDictionary<string, object>> Keys = new List<IDictionary<string, object>>();
        internal string Revocations;
    }

    internal sealed class StoredSeat
    {
        internal string LicenseToken;
        internal double HeartbeatInterval;
        internal double? OfflineUntilMs;
    }

    /// <summary>The service as the keeper sees it. It calls back on the keeper's thread.</summary>
    internal sealed class Service
    {
        private static readonly HashSet<string> OwnCodes = new HashSet<string> { "connection_failed", "timed_out", "redirected", "unexpected_answer" };
        private static readonly HashSet<string> Conflicts = new HashSet<string> { "no_seats_available", "session_timeout", "session_released", "activation_limit_reached" };
        private static readonly HttpCall KeysCall = new HttpCall { Method = "GET", Path = "/.well-known/jwks.json", TimeoutMs = 10000, NeedsToken = false, Expected = Expected.Json };

        private readonly ServiceOptions options;
        private readonly IRuntime runtime;
        private readonly ServerClock clock;
        private double keysMs = double.NegativeInfinity;
        private Tokens.RevocationList list = new Tokens.RevocationList();

        internal readonly Memory Memory;

        internal Service(ServiceOptions options, IRuntime runtime, ServerClock clock, Memory memory)
        {
            this.options = options;
            this.runtime = runtime;
            this.clock = clock;
            Memory = memory;
        }

        /// <summary>The seat of an earlier run, if its token is still good by what is in memory.</summary>
        internal HeldSeat Restore(StoredSeat stored)
        {
            if (Memory.Revocations != null) { TakeList(Memory.Revocations); }
            if (stored == null) { return null; }
            string fault;
            var token = Verify(stored.LicenseToken, null, out fault);
            return token == null ? null : new HeldSeat { Token = token, SessionId = token.SessionId, HeartbeatInterval = stored.HeartbeatInterval, OfflineUntilMs = stored.OfflineUntilMs };
        }

        /// <summary>Takes a list that is not older than the one in use. A list that is not the service's changes nothing.</summary>
        internal Listed TakeList(string text)
        {
            string fault;
            var found = Tokens.VerifyRevocations(text, Memory.Keys, options.Issuer, out fault);
            if (found != null && found.IssuedAt >= list.IssuedAt)
            {
                list = found;
                Memory.Revocations = text;
            }
            return new Listed { Revoked = list.Revoked };
        }

        /// <summary>Sends a request, and calls back with what became of it, unless it is canceled before.</summary>
        internal Action Perform(Request request, bool refreshesToken, Action<Outcome> take)
        {
            // What has to be fetched for the answer replaces it.
            Action cancel = null;
            cancel = Send(ToHttp(request), refreshesToken, (data, error) =>
            {
                if (error != null) { take(ReadFailure(request.Kind, error)); }
                else { Read(request, data, take, next => cancel = next); }
            });
            return () => cancel();
        }

        private VerifiedToken Verify(string text, string sessionId, out string fault)
        {
            return Tokens.VerifyLicenseToken(text, Memory.Keys, new Tokens.Expectations
            {
                Issuer = options.Issuer,
                Audience = options.Audience,
                HardwareId = options.HardwareId,
                SessionId = sessionId,
                NowMs = clock.NowMs(runtime.Now()),
                Revoked = list.Revoked,
            }, out fault);
        }

        private HttpCall ToHttp(Request request)
        {
            var license = new Dictionary<string, object> { ["license_key"] = options.LicenseKey, ["hardware_id"] = options.HardwareId };
            var wait = "/v1/licenses/waits/" + Uri.EscapeDataString(request.Id ?? "");
            switch (request.Kind)
            {
                case RequestKind.Activate:
                    license["name"] = options.Name;
                    var activate = Post("activate", 30000, license);
                    activate.NeedsToken = false;
                    return activate;
                case RequestKind.Acquire:
                    license["metadata"] = options.Metadata;
                    license["wait_seconds"] = Seconds(request.WaitSeconds);
                    license["offline_seconds"] = Seconds(request.OfflineSeconds);
                    return Post("acquire", 30000, license);
                case RequestKind.Heartbeat:
                    return Post("heartbeat", 15000, new Dictionary<string, object> { ["session_id"] = request.Id });
                case RequestKind.Release:
                    return Post("release", 5000, new Dictionary<string, object> { ["session_id"] = request.Id });
                case RequestKind.Revocations:
                    return new HttpCall { Method = "GET", Path = "/.well-known/license-revocations.jwt", TimeoutMs = 10000, NeedsToken = false, Expected = Expected.Bytes };
                case RequestKind.Leave:
                    return new HttpCall { Method = "DELETE", Path = wait, TimeoutMs = 5000, Expected = Expected.Nothing };
                default:
                    return new HttpCall { Method = "GET", Path = wait + "?timeout=" + request.TimeoutSeconds, TimeoutMs = (request.TimeoutSeconds + 10) * 1000 };
            }
        }

        private static HttpCall Post(string action, double timeoutMs, Dictionary<string, object> body)
        {
            return new HttpCall { Method = "POST", Path = "/v1/licenses/" + action, TimeoutMs = timeoutMs, Body = body };
        }

        private static object Seconds(double seconds)
        {
            return seconds > 0 ? (object)Math.Floor(seconds) : null;
        }

        private void Read(Request request, object data, Action<Outcome> take, Action<Action> fetching)
        {
            if (request.Kind == RequestKind.Revocations)
            {
                var text = data as string ?? "";
                WithKeys(text, fetching, error => take(error == null ? TakeList(text) : ReadFailure(request.Kind, error)));
                return;
            }
            if (request.Kind == RequestKind.Activate)
            {
                Memory.ActivationToken = Json.Get(data, "activation_token") as string ?? Memory.ActivationToken;
                take(Json.Get(data, "activation_token") is string ? new Done() : Unexpected());
                return;
            }
            var token = Json.Get(data, "license_token") as string;
            var sessionId = Json.Get(data, "session_id") as string;
            if (request.Kind == RequestKind.Heartbeat && sessionId != request.Id) { take(Unexpected()); }
            else if (request.Kind == RequestKind.Heartbeat && token == null) { take(new Kept()); }
            else if (IsForSeat(request.Kind) && token != null && sessionId != null)
            {
                WithKeys(token, fetching, error => take(TakeToken(request.Kind, data, token, sessionId, error)));
            }
            else if (request.Kind == RequestKind.Acquire || request.Kind == RequestKind.Poll) { take(ReadPlace(data)); }
            else { take(new Done()); }
        }

        private static bool IsForSeat(RequestKind kind)
        {
            return kind == RequestKind.Acquire || kind == RequestKind.Poll || kind == RequestKind.Heartbeat;
        }

        /// <summary>`error` says why the keys could not be fetched, if they could not.</summary>
        private Outcome TakeToken(RequestKind kind, object data, string text, string sessionId, SeatException error)
        {
            var isHeartbeat = kind == RequestKind.Heartbeat;
            if (error != null && !isHeartbeat) { return ReadFailure(kind, error); }
            string fault;
            var token = Verify(text, sessionId, out fault);
            // A token that is not good is not taken: the one that the program has stays good.
            if (isHeartbeat) { return new Kept { Token = token }; }
            if (token == null)
            {
                var invalid = new SeatException("invalid_license_token", "The license token of the service is not valid: " + fault + ".");
                invalid.Details = new Dictionary<string, object> { ["reason"] = fault };
                return new Refused { Error = invalid };
            }
            var seat = new HeldSeat { Token = token, SessionId = sessionId, HeartbeatInterval = ReadInterval(Json.Get(data, "heartbeat_interval")), OfflineUntilMs = Times.Parse(Json.Get(data, "offline_until")) };
            return new GrantedSeat { Seat = seat };
        }

        internal static double ReadInterval(object value)
        {
            return value is double && (double)value >= 1 ? (double)value : 60;
        }

        private static Outcome ReadPlace(object data)
        {
            var status = Json.Get(data, "status") as string;
            if (status == "expired" || status == "canceled") { return new WaitEnded { Status = status, Reason = Json.Get(data, "reason") as string }; }
            var waitId = Json.Get(data, "wait_id") as string;
            var position = Json.Get(data, "position") as double?;
            var expiresAt = Json.Get(data, "expires_at") as string;
            if (waitId == null || position == null || expiresAt == null) { return Unexpected(); }
            var pollAfter = Json.Get(data, "poll_after_seconds") as double? ?? 1;
            return new Placed { Place = new Place { WaitId = waitId, Position = (int)position.Value, ExpiresAt = expiresAt, PollAfterSeconds = pollAfter } };
        }

        private static Outcome Unexpected()
        {
            return new Failed { Error = SeatException.Own("unexpected_answer") };
        }

        /// <summary>A refusal that stands, or an attempt that failed. Pages of proxies and redirects say nothing.</summary>
        private static Outcome ReadFailure(RequestKind kind, SeatException error)
        {
            var status = error.Status;
            var isFinal = status >= 400 && status < 500 && status != 408 && status != 425 && status != 429;
            // Conflicts that the keeper does not know may pass.
            if (status == 409 && !Conflicts.Contains(error.Code)) { isFinal = kind == RequestKind.Leave; }
            return isFinal && !OwnCodes.Contains(error.Code) ? (Outcome)new Refused { Error = error } : new Failed { Error = error };
        }

        /// <summary>Fetches the keys first, at most once a minute, if the token was signed with another one.</summary>
        private void WithKeys(string token, Action<Action> fetching, Action<SeatException> then)
        {
            var parsed = Tokens.Parse(token);
            var isKnown = parsed == null || Tokens.FindKey(Memory.Keys, Json.Get(parsed.Header, "kid")) != null;
            if (isKnown || runtime.Now().MonoMs - keysMs < Rules.KeysEveryMs)
            {
                then(null);
                return;
            }
            fetching(Send(KeysCall, false, (data, error) =>
            {
                var keys = error == null ? Tokens.ParseKeySet(data) : null;
                if (keys == null || keys.Count == 0)
                {
                    then(error ?? SeatException.Own("unexpected_answer"));
                    return;
                }
                keysMs = runtime.Now().MonoMs;
                Memory.Keys = keys;
                then(null);
            }));
        }

        /// <summary>Whether a header can carry the token. If not, the HTTP library's error would show it.</summary>
        internal static bool IsSendable(string token)
        {
            return token == null || token.All(each => each >= '!' && each <= '~');
        }

        /// <summary>Calls back with the data of the answer (the text of a file), or with the error that it is.</summary>
        private Action Send(HttpCall call, bool refreshesToken, Action<object, SeatException> take)
        {
            var headers = new Dictionary<string, string> { ["Accept"] = "*/*" };
            if (call.NeedsToken)
            {
                try
                {
                    var token = Memory.ActivationToken ?? options.Token(refreshesToken);
                    if (!IsSendable(token))
                    {
                        var wrong = new SeatException("invalid_argument", "The token must be printable ASCII characters without spaces.");
                        return runtime.SetTimer(0, () => take(null, wrong));
                    }
                    if (!string.IsNullOrEmpty(token)) { headers["Authorization"] = "Bearer " + token; }
                }
                catch (Exception failure)
                {
                    // The program's own function.
                    var error = new SeatException("connection_failed", "The function that returns tokens failed: " + failure.Message);
                    return runtime.SetTimer(0, () => take(null, error));
                }
            }
            var body = call.Body == null ? null : Json.Write(call.Body.Where(each => each.Value != null).ToDictionary(each => each.Key, each => each.Value));
            Action stopTimer = null;
            var stop = runtime.Send(call.Method, options.BaseUrl + call.Path, headers, body, (answer, error) =>
            {
                stopTimer();
                object data = null;
                if (error == null) { data = ReadTimed(call, answer, out error); }
                take(data, error);
            });
            stopTimer = runtime.SetTimer(call.TimeoutMs, () =>
            {
                stop();
                take(null, new SeatException("timed_out", "The request was not answered in time."));
            });
            return () =>
            {
                stopTimer();
                stop();
            };
        }

        /// <summary>Reads an answer, and the time from it if it is the API's. The page of a proxy may be old, and so may a cached file.</summary>
        private object ReadTimed(HttpCall call, HttpAnswer answer, out SeatException error)
        {
            var data = ReadAnswer(call, answer, out error);
            var isOurs = call.Expected == Expected.Data || call.Expected == Expected.Nothing;
            var date = Times.ParseHttp(answer.Header("date"));
            if (isOurs && date != null && (error == null || !OwnCodes.Contains(error.Code))) { clock.Observe(date.Value, runtime.Now()); }
            return data;
        }

        private static object ReadAnswer(HttpCall call, HttpAnswer answer, out SeatException error)
        {
            error = null;
            if (answer.Status >= 300 && answer.Status < 400)
            {
                error = new SeatException("redirected", "The answer is a redirect, which is not followed.", answer.Status);
                return null;
            }
            if (answer.Status < 200 || answer.Status > 299)
            {
                error = ReadRefusal(answer);
                return null;
            }
            if (answer.Status == 204) { return null; }
            var isPage = (answer.Header("content-type") ?? "").StartsWith("text/html", StringComparison.Ordinal);
            if (call.Expected == Expected.Bytes && !isPage) { return answer.Body; }
            var body = Json.Parse(answer.Body) as IDictionary<string, object>;
            if (call.Expected == Expected.Json && body != null) { return body; }
            if (call.Expected == Expected.Nothing || body == null || !body.ContainsKey("data"))
            {
                error = NotOurs(answer);
                return null;
            }
            return body["data"];
        }

        private static SeatException ReadRefusal(HttpAnswer answer)
        {
            var error = Json.Get(Json.Parse(answer.Body), "error");
            var code = Json.Get(error, "code") as string;
            var message = Json.Get(error, "message") as string;
            // The Retry-After of others says nothing about the service: a hotel's page may ask for more patience than a seat has.
            if (code == null || message == null) { return NotOurs(answer); }
            var retryAfter = ReadRetryAfter(answer);
            var details = Json.Get(error, "details") as Dictionary<string, object> ?? new Dictionary<string, object>();
            var seconds = Json.Get(details, "retry_after") as double?;
            return new SeatException(code, message, answer.Status)
            {
                Details = details,
                RequestId = answer.Header("x-request-id"),
                RetryAfterSeconds = retryAfter ?? (seconds >= 0 ? seconds : null),
            };
        }

        /// <summary>Seconds: of a number of them, or of a time by the answer's own clock (RFC 9110 section 10.2.3).</summary>
        private static double? ReadRetryAfter(HttpAnswer answer)
        {
            int seconds;
            var value = answer.Header("retry-after");
            if (int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out seconds)) { return seconds; }
            var wait = (Times.ParseHttp(value) - Times.ParseHttp(answer.Header("date"))) / 1000;
            return wait == null ? null : (double?)Math.Max(0, wait.Value);
        }

        private static SeatException NotOurs(HttpAnswer answer)
        {
            var message = "The answer with status " + answer.Status + " is not one of Seathold's (" + answer.Header("content-type") + "). Is the base URL right?";
            return new SeatException("unexpected_answer", message, answer.Status);
        }
    }

    // ---------------------------------------------------------------------------------------------------------------------
    // The keeper.
    // ---------------------------------------------------------------------------------------------------------------------

    internal sealed class KeeperOptions
    {
        internal ServiceOptions Service;
        internal Config Config;
        internal bool HasToken;
        internal ISeatStore Store;
        /// <summary>Called once: with null when there is a seat.</summary>
        internal Action<SeatException> OnFirst;
        internal Action<SeatEvent> OnEvent;
        /// <summary>Called once, when nothing will happen any more.</summary>
        internal Action OnEnd;
    }

    /// <summary>
    /// Runs the state machine of one seat: sends its requests, keeps its timers, and tells its events. Everything but Last and
    /// CurrentState happens on the runtime's thread.
    /// </summary>
    internal sealed class Keeper : IEffects
    {
        private readonly KeeperOptions options;
        private readonly IRuntime runtime;
        private readonly ServerClock clock;
        private readonly Service service;
        private readonly Machine machine;
        private readonly Dictionary<string, Action> timers = new Dictionary<string, Action>();
        private readonly Dictionary<int, Action> requests = new Dictionary<int, Action>();
        private HeldSeat saved;
        private volatile HeldSeat last;
        private Action<SeatException> offline;
        private Action stopWatching = () => { };
        private bool isFirstAnswered;
        private bool hasEnded;

        internal Keeper(KeeperOptions options, IRuntime runtime)
        {
            this.options = options;
            this.runtime = runtime;
            var stored = ReadStored();
            var memory = new Memory
            {
                ActivationToken = options.HasToken ? null : Json.Get(stored, "activation_token") as string,
                Keys = Tokens.ParseKeySet(Json.Parse(Json.Get(stored, "keys") as string ?? "")),
                Revocations = Json.Get(stored, "revocations") as string,
            };
            options.Config.Activation = options.HasToken ? ActivationNeed.None : memory.ActivationToken == null ? ActivationNeed.Needed : ActivationNeed.Stored;
            clock = new ServerClock(runtime.Now(), Times.Parse(Json.Get(stored, "seen_at")) ?? 0);
            service = new Service(options.Service, runtime, clock, memory);
            saved = service.Restore(ReadSeat(Json.Get(stored, "seat")));
            machine = new Machine(options.Config, clock, saved, this);
        }

        /// <summary>The newest seat, also after it was lost.</summary>
        internal HeldSeat Last
        {
            get
            {
                if (last == null) { throw SeatException.Own("not_held"); }
                return last;
            }
        }

        internal SeatState CurrentState
        {
            get
            {
                if (machine.Phase == Phase.Ended) { return SeatState.Ended; }
                if (machine.Seat == null) { return machine.IsSettled ? SeatState.Lost : SeatState.Acquiring; }
                return machine.IsOffline ? SeatState.Offline : SeatState.Held;
            }
        }

        internal void Start()
        {
            stopWatching = runtime.OnWake(Wake);
            machine.Start(runtime.Now());
        }

        internal void Wake() { machine.Wake(runtime.Now()); }
        internal void Release() { machine.Release(runtime.Now()); }
        internal void Exit() { machine.Exit(runtime.Now()); }

        /// <summary>The program no longer wants a seat.</summary>
        internal void Abort(SeatException reason)
        {
            AnswerFirst(reason);
            Release();
        }

        internal void TakeOffline(double seconds, Action<SeatException> answer)
        {
            offline?.Invoke(SeatException.Own("superseded"));
            offline = answer;
            machine.TakeOffline(seconds, runtime.Now());
        }

        void IEffects.Send(int id, Request request, bool refreshesToken)
        {
            var memory = service.Memory;
            var before = new { memory.Keys, memory.Revocations, memory.ActivationToken };
            requests[id] = service.Perform(request, refreshesToken, outcome =>
            {
                requests.Remove(id);
                machine.Answered(id, outcome, runtime.Now());
                if (!ReferenceEquals(before.Keys, memory.Keys) || before.Revocations != memory.Revocations || before.ActivationToken != memory.ActivationToken)
                {
                    Store();
                }
            });
        }

        void IEffects.Abandon(int id)
        {
            Action cancel;
            if (requests.TryGetValue(id, out cancel))
            {
                requests.Remove(id);
                cancel();
            }
        }

        void IEffects.SetTimer(string name, double? delayMs)
        {
            Action cancel;
            if (timers.TryGetValue(name, out cancel))
            {
                timers.Remove(name);
                cancel();
            }
            if (delayMs != null) { timers[name] = runtime.SetTimer(delayMs.Value, () => machine.Timer(name, runtime.Now())); }
        }

        void IEffects.Tell(SeatEvent told, HeldSeat seat)
        {
            last = seat ?? last;
            options.OnEvent(told);
        }

        void IEffects.AnswerFirst(SeatException error) { AnswerFirst(error); }

        void IEffects.AnswerOffline(SeatException error)
        {
            var answer = offline;
            offline = null;
            answer?.Invoke(error);
        }

        void IEffects.Save(HeldSeat seat)
        {
            saved = seat;
            last = seat ?? last;
            Store();
        }

        void IEffects.End()
        {
            if (hasEnded) { return; }
            hasEnded = true;
            stopWatching();
            options.OnEnd();
        }

        private void AnswerFirst(SeatException error)
        {
            if (isFirstAnswered) { return; }
            isFirstAnswered = true;
            options.OnFirst(error);
        }

        private void Store()
        {
            if (options.Store == null) { return; }
            var of = options.Service;
            var text = new Dictionary<string, object>
            {
                ["version"] = 1.0,
                ["license_key"] = of.LicenseKey,
                ["hardware_id"] = of.HardwareId,
                ["seen_at"] = Times.Format(clock.NowMs(runtime.Now())),
                ["activation_token"] = service.Memory.ActivationToken,
                ["keys"] = Json.Write(new Dictionary<string, object> { ["keys"] = service.Memory.Keys.Cast<object>().ToList() }),
                ["revocations"] = service.Memory.Revocations,
                ["seat"] = saved == null ? null : new Dictionary<string, object>
                {
                    ["license_token"] = saved.Token.LicenseToken,
                    ["heartbeat_interval"] = saved.HeartbeatInterval,
                    ["offline_until"] = saved.OfflineUntilMs == null ? null : Times.Format(saved.OfflineUntilMs.Value),
                },
            };
            try { options.Store.Save(Json.Write(text)); }
            catch (Exception error) when (error is IOException || error is UnauthorizedAccessException)
            {
                // A disk that is full costs the program its next start offline, but not its seat.
            }
        }

        /// <summary>What is kept of the same license on the same machine. Anything else counts as nothing.</summary>
        private object ReadStored()
        {
            var stored = Json.Parse(options.Store?.Load() ?? "");
            var isOurs = Equals(Json.Get(stored, "version"), 1.0) && Equals(Json.Get(stored, "license_key"), options.Service.LicenseKey)
                && Equals(Json.Get(stored, "hardware_id"), options.Service.HardwareId);
            return isOurs ? stored : null;
        }

        private static StoredSeat ReadSeat(object seat)
        {
            var token = Json.Get(seat, "license_token") as string;
            return token == null ? null : new StoredSeat
            {
                LicenseToken = token,
                HeartbeatInterval = Service.ReadInterval(Json.Get(seat, "heartbeat_interval")),
                OfflineUntilMs = Times.Parse(Json.Get(seat, "offline_until")),
            };
        }
    }

    /// <summary>The machine that the program runs on: one thread, which all callbacks share.</summary>
    internal sealed class SystemRuntime : IRuntime, IDisposable
    {
        private const double LookEveryMs = 5000;
        private const double JumpMs = 10000;
        private const int MostBodyBytes = 16 * 1024 * 1024;

        private readonly HttpClient client;
        private readonly Stopwatch stopwatch = Stopwatch.StartNew();
        private readonly Random random = new Random();
        private readonly Queue<Action> queue = new Queue<Action>();
        private bool isClosed;

        internal SystemRuntime(HttpMessageHandler handler)
        {
            client = new HttpClient(handler ?? new HttpClientHandler { AllowAutoRedirect = false }, handler == null)
            {
                // Each request has a limit of its own.
                Timeout = Timeout.InfiniteTimeSpan,
                MaxResponseContentBufferSize = MostBodyBytes,
            };
            new Thread(Run) { IsBackground = true, Name = "Seathold" }.Start();
        }

        public void Dispose()
        {
            lock (queue)
            {
                isClosed = true;
                Monitor.Pulse(queue);
            }
            client.Dispose();
        }

        internal void Post(Action run)
        {
            lock (queue)
            {
                queue.Enqueue(run);
                Monitor.Pulse(queue);
            }
        }

        public Moment Now()
        {
            lock (random)
            {
                return new Moment
                {
                    MonoMs = stopwatch.Elapsed.TotalMilliseconds,
                    WallMs = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds(),
                    Random = random.NextDouble(),
                };
            }
        }

        public Action SetTimer(double delayMs, Action run)
        {
            var isCanceled = false;
            Timer timer = null;
            timer = new Timer(_ => Post(() =>
            {
                timer.Dispose();
                if (!isCanceled) { run(); }
            }), null, System.Threading.Timeout.Infinite, System.Threading.Timeout.Infinite);
            timer.Change((long)Math.Ceiling(delayMs), System.Threading.Timeout.Infinite);
            return () =>
            {
                isCanceled = true;
                timer.Dispose();
            };
        }

        public Action Send(string method, string url, Dictionary<string, string> headers, string body, Action<HttpAnswer, SeatException> take)
        {
            var cancellation = new CancellationTokenSource();
            Task.Run(async () =>
            {
                HttpAnswer answer = null;
                SeatException error = null;
                try { answer = await Exchange(method, url, headers, body, cancellation.Token).ConfigureAwait(false); }
                catch (Exception failure) when (failure is HttpRequestException || failure is OperationCanceledException || failure is IOException || failure is WebException || failure is ObjectDisposedException)
                {
                    error = new SeatException("connection_failed", "The request got no answer: " + (failure.InnerException ?? failure).Message);
                }
                Post(() =>
                {
                    if (!cancellation.IsCancellationRequested) { take(answer, error); }
                });
            });
            return cancellation.Cancel;
        }

        /// <summary>Compares the two clocks: while a machine sleeps, the monotonic one may stand still, and timers come late.</summary>
        public Action OnWake(Action wake)
        {
            var looked = Now();
            Action cancel = null;
            Action look = null;
            look = () =>
            {
                var now = Now();
                var passed = now.WallMs - looked.WallMs;
                var jumped = passed - (now.MonoMs - looked.MonoMs);
                looked = now;
                cancel = SetTimer(LookEveryMs, look);
                if (Math.Abs(jumped) >= JumpMs || passed >= LookEveryMs + JumpMs) { wake(); }
            };
            cancel = SetTimer(LookEveryMs, look);
            return () => cancel();
        }

        private void Run()
        {
            while (true)
            {
                Action run;
                lock (queue)
                {
                    while (queue.Count == 0 && !isClosed) { Monitor.Wait(queue); }
                    if (queue.Count == 0) { return; }
                    run = queue.Dequeue();
                }
                run();
            }
        }

        private async Task<HttpAnswer> Exchange(string method, string url, Dictionary<string, string> headers, string body, CancellationToken cancellation)
        {
            using (var message = new HttpRequestMessage(new HttpMethod(method), url))
            {
                foreach (var header in headers) { message.Headers.TryAddWithoutValidation(header.Key, header.Value); }
                if (body != null)
                {
                    message.Content = new StringContent(body, new UTF8Encoding(false));
                    message.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
                }
                using (var response = await client.SendAsync(message, HttpCompletionOption.ResponseContentRead, cancellation).ConfigureAwait(false))
                {
                    var answer = new HttpAnswer { Status = (int)response.StatusCode };
                    foreach (var header in response.Headers.Concat(response.Content.Headers))
                    {
                        answer.Headers[header.Key.ToLowerInvariant()] = string.Join(", ", header.Value);
                    }
                    answer.Body = Encoding.UTF8.GetString(await response.Content.ReadAsByteArrayAsync().ConfigureAwait(false));
                    return answer;
                }
            }
        }
    }

    /// <summary>JSON (RFC 8259): Dictionary, List, string, double, bool, and null.</summary>
    internal static class Json
    {
        private const int MostDepth = 64;

        /// <summary>The member of an object, or null.</summary>
        internal static object Get(object value, string name)
        {
            object member;
            var members = value as IDictionary<string, object>;
            return members != null && members.TryGetValue(name, out member) ? member : null;
        }

        /// <summary>The value of a text. Null also for a text that is not JSON.</summary>
        internal static object Parse(string text)
        {
            var reader = new Reader(text);
            object value;
            return reader.TryRead(out value, 0) && reader.IsAtEnd ? value : null;
        }

        internal static string Write(object value)
        {
            var text = new StringBuilder();
            Write(value, text);
            return text.ToString();
        }

        private static void Write(object value, StringBuilder text)
        {
            if (value == null) { text.Append("null"); }
            else if (value is bool) { text.Append((bool)value ? "true" : "false"); }
            else if (value is string) { WriteText((string)value, text); }
            else if (value is IDictionary<string, object>)
            {
                var before = "{";
                foreach (var member in ((IDictionary<string, object>)value).Where(each => each.Value != null))
                {
                    text.Append(before);
                    WriteText(member.Key, text);
                    text.Append(':');
                    Write(member.Value, text);
                    before = ",";
                }
                text.Append(before == "{" ? "{}" : "}");
            }
            else if (value is System.Collections.IEnumerable)
            {
                var before = "[";
                foreach (var item in (System.Collections.IEnumerable)value)
                {
                    text.Append(before);
                    Write(item, text);
                    before = ",";
                }
                text.Append(before == "[" ? "[]" : "]");
            }
            else { text.Append(Convert.ToDouble(value, CultureInfo.InvariantCulture).ToString("R", CultureInfo.InvariantCulture)); }
        }

        private static void WriteText(string value, StringBuilder text)
        {
            text.Append('"');
            foreach (var each in value)
            {
                if (each == '"' || each == '\\') { text.Append('\\').Append(each); }
                else if (each < ' ') { text.Append("\\u").Append(((int)each).ToString("x4", CultureInfo.InvariantCulture)); }
                else { text.Append(each); }
            }
            text.Append('"');
        }

        private sealed class Reader
        {
            private readonly string text;
            private int at;

            internal Reader(string text)
            {
                this.text = text;
            }

            internal bool IsAtEnd
            {
                get
                {
                    Skip();
                    return at == text.Length;
                }
            }

            internal bool TryRead(out object value, int depth)
            {
                value = null;
                Skip();
                if (at >= text.Length || depth > MostDepth) { return false; }
                switch (text[at])
                {
                    case '{': return TryReadObject(out value, depth);
                    case '[': return TryReadArray(out value, depth);
                    case '"': return TryReadText(out value);
                    case 't': value = true; return TakeWord("true");
                    case 'f': value = false; return TakeWord("false");
                    case 'n': return TakeWord("null");
                    default: return TryReadNumber(out value);
                }
            }

            private bool TryReadObject(out object value, int depth)
            {
                var members = new Dictionary<string, object>();
                value = members;
                at++;
                Skip();
                if (Take('}')) { return true; }
                do
                {
                    object name, member;
                    Skip();
                    if (at >= text.Length || text[at] != '"' || !TryReadText(out name)) { return false; }
                    Skip();
                    if (!Take(':') || !TryRead(out member, depth + 1)) { return false; }
                    members[(string)name] = member;
                    Skip();
                }
                while (Take(','));
                return Take('}');
            }

            private bool TryReadArray(out object value, int depth)
            {
                var items = new List<object>();
                value = items;
                at++;
                Skip();
                if (Take(']')) { return true; }
                do
                {
                    object item;
                    if (!TryRead(out item, depth + 1)) { return false; }
                    items.Add(item);
                    Skip();
                }
                while (Take(','));
                return Take(']');
            }

            private bool TryReadText(out object value)
            {
                var read = new StringBuilder();
                value = null;
                for (at++; at < text.Length; at++)
                {
                    var each = text[at];
                    if (each == '"')
                    {
                        at++;
                        value = read.ToString();
                        return true;
                    }
                    if (each < ' ' || (each == '\\' && !TryReadEscape(read))) { return false; }
                    if (each != '\\') { read.Append(each); }
                }
                return false;
            }

            private bool TryReadEscape(StringBuilder read)
            {
                const string Names = "\"\\/bfnrt", Values = "\"\\/\b\f\n\r\t";
                at++;
                var index = at < text.Length ? Names.IndexOf(text[at]) : -1;
                if (index >= 0)
                {
                    read.Append(Values[index]);
                    return true;
                }
                int code;
                var isCode = at + 4 < text.Length && text[at] == 'u'
                    && int.TryParse(text.Substring(at + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out code);
                if (!isCode) { return false; }
                read.Append((char)int.Parse(text.Substring(at + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture));
                at += 4;
                return true;
            }

            private bool TryReadNumber(out object value)
            {
                var found = Number.Match(text, at);
                value = null;
                if (!found.Success) { return false; }
                at += found.Length;
                value = double.Parse(found.Value, NumberStyles.Float, CultureInfo.InvariantCulture);
                return true;
            }

            private static readonly Regex Number = new Regex(@"\G-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?");

            private bool TakeWord(string word)
            {
                if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) { return false; }
                at += word.Length;
                return true;
            }

            private bool Take(char expected)
            {
                if (at >= text.Length || text[at] != expected) { return false; }
                at++;
                return true;
            }

            private void Skip()
            {
                while (at < text.Length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) { at++; }
            }
        }
    }
}
