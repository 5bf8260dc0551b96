// Runs every vector of sdks/keeper-vectors.json, whose path is the first argument.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Seathold.Tests
{
    internal static class Vectors
    {
        private static IDictionary<string, object> file;
        private static int passed;
        private static int failed;

        internal static int Run(string path)
        {
            file = (IDictionary<string, object>)Json.Parse(File.ReadAllText(path));
            if (!Equals(file["version"], 1.0)) { throw new InvalidOperationException("these vectors need a newer runner"); }
            CheckTokens();
            CheckLists();
            CheckHardwareIds();
            CheckScripts();
            Console.WriteLine(passed + " passed, " + failed + " failed");
            return failed == 0 ? 0 : 1;
        }

        internal static IDictionary<string, object> Config { get { return (IDictionary<string, object>)file["config"]; } }
        internal static double EpochMs { get { return Times.Parse(file["epoch"]).Value; } }

        /// <summary>The same value with each `@name` replaced by the text of that name.</summary>
        internal static object WithTexts(object value)
        {
            if (value is string) { return Text((string)value); }
            if (value is IList<object>) { return ((IList<object>)value).Select(WithTexts).ToList(); }
            var members = value as IDictionary<string, object>;
            return members == null ? value : members.ToDictionary(each => each.Key, each => WithTexts(each.Value));
        }

        internal static string Text(string reference)
        {
            return reference.StartsWith("@", StringComparison.Ordinal) ? Json.Get(file["texts"], reference.Substring(1)) as string ?? reference : reference;
        }

        private static void Check(bool isGood, string what)
        {
            if (isGood) { passed++; return; }
            failed++;
            Console.WriteLine("not ok: " + what);
        }

        private static IEnumerable<IDictionary<string, object>> Each(string name)
        {
            return ((IList<object>)file[name]).Cast<IDictionary<string, object>>();
        }

        private static IList<IDictionary<string, object>> KeySet(object reference)
        {
            return Tokens.ParseKeySet(Json.Parse(Text(reference as string ?? "@keys.first")));
        }

        private static void CheckTokens()
        {
            foreach (var vector in Each("tokens"))
            {
                string fault;
                var list = Json.Get(vector, "list") as string;
                var revoked = list == null ? null : Tokens.VerifyRevocations(Text(list), KeySet(null), (string)Config["issuer"], out fault).Revoked;
                var expected = new Tokens.Expectations
                {
                    Issuer = (string)Config["issuer"],
                    Audience = (string)Config["audience"],
                    HardwareId = (string)Config["hardware_id"],
                    SessionId = Json.Get(vector, "session_id") as string,
                    NowMs = (double)vector["now"] * 1000,
                    Revoked = revoked ?? new HashSet<string>(),
                };
                Tokens.VerifyLicenseToken(Text((string)vector["token"]), KeySet(Json.Get(vector, "keys")), expected, out fault);
                Check((fault ?? "valid") == (string)vector["expect"], "a token " + vector["name"] + ": " + fault);
            }
        }

        private static void CheckLists()
        {
            foreach (var vector in Each("lists"))
            {
                string fault;
                var issuer = (string)Config["issuer"];
                var list = Text((string)vector["list"]);
                Tokens.VerifyRevocations(list, KeySet(Json.Get(vector, "keys")), issuer, out fault);
                Check((fault ?? "valid") == (string)vector["expect"], "a list " + vector["name"] + ": " + fault);
                var machine = new VirtualMachine(EpochMs, 0.5, 0);
                var memory = new Memory { Keys = KeySet(null) };
                var service = new Service(new ServiceOptions { Issuer = issuer }, machine, new ServerClock(machine.Now(), 0), memory);
                if (vector.ContainsKey("after")) { service.TakeList(Text((string)vector["after"])); }
                memory.Keys = KeySet(Json.Get(vector, "keys"));
                var revoked = service.TakeList(list).Revoked;
                Check(revoked.SetEquals(((IList<object>)vector["revoked"]).Cast<string>()), "what is revoked after a list " + vector["name"]);
            }
        }

        private static void CheckHardwareIds()
        {
            foreach (var vector in Each("hardware_ids"))
            {
                var id = HardwareIds.Find((string)vector["platform"], (string)vector["output"]);
                Check(id == (string)vector["machine_id"] && HardwareIds.Hash(id) == (string)vector["hardware_id"], "the hardware ID on " + vector["platform"]);
            }
        }

        private static void CheckScripts()
        {
            Check(Each("scripts").Count() > 100, "there are more than 100 scripts");
            foreach (var script in Each("scripts"))
            {
                try
                {
                    var runner = new ScriptRunner(script);
                    foreach (IDictionary<string, object> step in (IList<object>)script["steps"]) { runner.Run(step); }
                    Check(true, null);
                }
                catch (Exception error) { Check(false, script["name"] + ": " + error.Message); }
            }
        }
    }

    /// <summary>A machine with clocks that a test moves, and a network that a test answers.</summary>
    internal sealed class VirtualMachine : IRuntime
    {
        private readonly double random;
        private readonly SortedDictionary<Tuple<double, int>, Action> timers = new SortedDictionary<Tuple<double, int>, Action>();
        private Action<HttpAnswer, SeatException> pending;
        private int lastTimer;

        internal double MonoMs;
        internal double RealMs;
        internal double WallErrorMs;
        internal Action Wake;
        /// <summary>What the keeper did and the script has not looked at. Only outputs of one kind have an order.</summary>
        internal readonly Dictionary<string, Queue<Tuple<double, object>>> Outputs = new[] { "request", "event", "result", "offline_result", "ended" }
            .ToDictionary(kind => kind, kind => new Queue<Tuple<double, object>>());

        internal VirtualMachine(double epochMs, double random, double wallAheadMs)
        {
            RealMs = epochMs;
            WallErrorMs = wallAheadMs;
            this.random = random;
        }

        public Moment Now()
        {
            return new Moment { MonoMs = MonoMs, WallMs = RealMs + WallErrorMs, Random = random };
        }

        public Action SetTimer(double delayMs, Action run)
        {
            var key = Tuple.Create(MonoMs + delayMs, ++lastTimer);
            timers[key] = run;
            return () => timers.Remove(key);
        }

        public Action Send(string method, string url, Dictionary<string, string> headers, string body, Action<HttpAnswer, SeatException> take)
        {
            string authorization;
            var what = new Dictionary<string, object> { ["method"] = method, ["url"] = url };
            what["token"] = headers.TryGetValue("Authorization", out authorization) ? authorization.Substring("Bearer ".Length) : null;
            if (body != null) { what["body"] = Json.Parse(body); }
            Emit("request", what);
            pending = take;
            return () => pending = pending == take ? null : pending;
        }

        public Action OnWake(Action wake)
        {
            Wake = wake;
            return () => { };
        }

        internal void Emit(string kind, object what)
        {
            Outputs[kind].Enqueue(Tuple.Create(MonoMs, what));
        }

        internal void Answer(HttpAnswer answer, SeatException error)
        {
            var take = pending;
            pending = null;
            take?.Invoke(answer, error);
        }

        /// <summary>Runs what is due until the time, or until there is an output of the kind.</summary>
        internal void Advance(double toMs, string kind)
        {
            while (kind == null || Outputs[kind].Count == 0)
            {
                if (timers.Count == 0 || timers.Keys.First().Item1 > toMs)
                {
                    MoveTo(toMs);
                    return;
                }
                var next = timers.First();
                timers.Remove(next.Key);
                MoveTo(next.Key.Item1);
                next.Value();
            }
        }

        private void MoveTo(double monoMs)
        {
            RealMs += Math.Max(0, monoMs - MonoMs);
            MonoMs = Math.Max(MonoMs, monoMs);
        }
    }

    internal sealed class TextStore : ISeatStore
    {
        internal string Text;
        public string Load() { return Text; }
        public void Save(string text) { Text = text; }
    }

    /// <summary>Runs one script: a program with a seat on a virtual machine. Throws where the keeper does something else.</summary>
    internal sealed class ScriptRunner
    {
        private readonly Dictionary<string, object> config;
        private readonly VirtualMachine machine;
        private readonly TextStore store = new TextStore();
        private readonly Keeper keeper;
        private int token;

        internal ScriptRunner(IDictionary<string, object> script)
        {
            config = new Dictionary<string, object>(Vectors.Config);
            var own = Json.Get(script, "config") as IDictionary<string, object>;
            foreach (var member in own ?? new Dictionary<string, object>()) { config[member.Key] = member.Value; }
            machine = new VirtualMachine(Vectors.EpochMs, (double)config["random"], (double)config["wall_ahead_ms"]);
            if (script.ContainsKey("stored"))
            {
                var stored = (Dictionary<string, object>)Vectors.WithTexts(script["stored"]);
                stored["version"] = 1.0;
                stored["license_key"] = config["license_key"];
                stored["hardware_id"] = config["hardware_id"];
                store.Text = Json.Write(stored);
            }
            keeper = new Keeper(Options(), machine);
            keeper.Start();
        }

        internal void Run(IDictionary<string, object> step)
        {
            object expected;
            var at = (double)step["at"];
            var kind = ExpectedBy(step, out expected);
            machine.Advance(at, kind);
            if (kind != null)
            {
                Require(machine.Outputs[kind].Count > 0, "no " + kind, step);
                var found = machine.Outputs[kind].Dequeue();
                Require(found.Item1 == at && Same(found.Item2, expected), kind + " at " + found.Item1 + ": " + Json.Write(found.Item2), step);
            }
            else if (!step.ContainsKey("answer") && !step.ContainsKey("fail") && !step.ContainsKey("stored"))
            {
                Require(machine.Outputs.Values.All(each => each.Count == 0), "something that no step has looked at", step);
            }
            Act(step);
        }

        private static void Require(bool isGood, string what, IDictionary<string, object> step)
        {
            if (!isGood) { throw new InvalidOperationException(what + " in " + Json.Write(step)); }
        }

        private static bool Same(object one, object other)
        {
            var members = one as IDictionary<string, object>;
            if (members == null) { return Equals(one, other); }
            var others = other as IDictionary<string, object>;
            return others != null && members.Count == others.Count && members.All(each => others.ContainsKey(each.Key) && Same(each.Value, others[each.Key]));
        }

        private KeeperOptions Options()
        {
            var tokens = (IList<object>)config["tokens"];
            Func<string, double> seconds = name => Json.Get(config, name) as double? ?? 0;
            return new KeeperOptions
            {
                Service = new ServiceOptions
                {
                    BaseUrl = (string)config["base_url"],
                    Issuer = (string)config["issuer"],
                    Audience = (string)config["audience"],
                    LicenseKey = (string)config["license_key"],
                    HardwareId = (string)config["hardware_id"],
                    Metadata = Json.Get(config, "metadata") as IDictionary<string, object>,
                    Token = isRefused =>
                    {
                        token += isRefused ? 1 : 0;
                        return token < tokens.Count ? (string)tokens[token] : null;
                    },
                },
                Config = new Config
                {
                    WaitSeconds = seconds("wait_seconds"),
                    OfflineSeconds = seconds("offline_seconds"),
                    TimeoutSeconds = seconds("timeout_seconds"),
                    CanRefreshToken = tokens.Count > 1,
                },
                HasToken = tokens.Count > 0,
                Store = store,
                OnFirst = error => machine.Emit("result", error == null ? "granted" : error.Code),
                OnEvent = told => machine.Emit("event", Describe(told)),
                OnEnd = () => machine.Emit("ended", true),
            };
        }

        private string ExpectedBy(IDictionary<string, object> step, out object expected)
        {
            var request = Json.Get(step, "request") as IDictionary<string, object>;
            if (request != null)
            {
                var what = new Dictionary<string, object> { ["method"] = request["method"], ["url"] = (string)config["base_url"] + request["path"], ["token"] = Json.Get(request, "token") };
                if (request.ContainsKey("body")) { what["body"] = Vectors.WithTexts(request["body"]); }
                expected = what;
                return "request";
            }
            var kind = new[] { "event", "result", "offline_result", "ended" }.FirstOrDefault(step.ContainsKey);
            expected = kind == null ? null : step[kind];
            return kind;
        }

        private void Act(IDictionary<string, object> step)
        {
            if (step.ContainsKey("answer")) { machine.Answer(Respond((IDictionary<string, object>)step["answer"]), null); }
            else if (Equals(Json.Get(step, "fail"), "connection_failed")) { machine.Answer(null, new SeatException("connection_failed", "The connection was lost.")); }
            else if (step.ContainsKey("call")) { Call((string)step["call"], step); }
            else if (step.ContainsKey("stored")) { CheckStored(step); }
            machine.RealMs += (Json.Get(step, "sleep_seconds") as double? ?? 0) * 1000;
            machine.WallErrorMs += (Json.Get(step, "wall_jump_seconds") as double? ?? 0) * 1000;
            var state = Json.Get(step, "state") as string;
            Require(state == null || keeper.CurrentState.ToString().ToLowerInvariant() == state, "the state is " + keeper.CurrentState, step);
        }

        private void Call(string name, IDictionary<string, object> step)
        {
            switch (name)
            {
                case "release": keeper.Release(); break;
                case "abort": keeper.Abort(SeatException.Own("aborted")); break;
                case "exit": keeper.Exit(); break;
                case "wake": machine.Wake(); break;
                case "take_offline": keeper.TakeOffline((double)step["seconds"], error => machine.Emit("offline_result", error == null ? "ok" : error.Code)); break;
                default: Require(false, "unknown call", step); break;
            }
        }

        private void CheckStored(IDictionary<string, object> step)
        {
            var stored = Json.Parse(store.Text ?? "");
            var found = new Dictionary<string, object> { ["license_token"] = Json.Get(Json.Get(stored, "seat"), "license_token"), ["activation_token"] = Json.Get(stored, "activation_token") };
            foreach (var member in (IDictionary<string, object>)Vectors.WithTexts(step["stored"]))
            {
                Require(Equals(found[member.Key], member.Value), "stored " + member.Key + " is " + found[member.Key], step);
            }
        }

        private HttpAnswer Respond(IDictionary<string, object> answer)
        {
            var response = new HttpAnswer { Status = (int)(double)answer["status"] };
            response.Headers["content-type"] = "application/json";
            response.Headers["date"] = Times.ToTime(machine.RealMs).ToString("r");
            foreach (var header in Json.Get(answer, "headers") as IDictionary<string, object> ?? new Dictionary<string, object>())
            {
                response.Headers[header.Key.ToLowerInvariant()] = (string)header.Value;
            }
            if (answer.ContainsKey("raw")) { response.Body = Vectors.Text((string)answer["raw"]); }
            else if (response.Status != 204)
            {
                var member = answer.ContainsKey("data") ? "data" : "error";
                response.Body = Json.Write(new Dictionary<string, object> { [member] = Vectors.WithTexts(Json.Get(answer, member)), ["meta"] = new Dictionary<string, object> { ["request_id"] = "req_1" } });
            }
            return response;
        }

        private static object Describe(SeatEvent told)
        {
            Func<DateTimeOffset, string> at = time => Times.Format(time.ToUnixTimeMilliseconds());
            if (told is Granted)
            {
                var granted = (Granted)told;
                return new Dictionary<string, object>
                {
                    ["type"] = "granted",
                    ["reason"] = granted.Reason,
                    ["session_id"] = granted.SessionId,
                    ["expires_at"] = at(granted.ExpiresAt),
                    ["features"] = granted.Features.ToDictionary(each => each.Key, each => each.Value),
                };
            }
            if (told is Waiting) { return new Dictionary<string, object> { ["type"] = "waiting", ["position"] = (double)((Waiting)told).Position, ["expires_at"] = at(((Waiting)told).ExpiresAt) }; }
            if (told is Offline) { return new Dictionary<string, object> { ["type"] = "offline", ["reason"] = ((Offline)told).Reason, ["expires_at"] = at(((Offline)told).ExpiresAt) }; }
            return new Dictionary<string, object> { ["type"] = "lost", ["reason"] = ((Lost)told).Reason, ["final"] = ((Lost)told).IsFinal };
        }
    }
}
