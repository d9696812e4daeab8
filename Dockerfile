# docker build -t gvbind . && docker run --rm -v "$PWD:/work" gvbind bind hero.fbx -o hero_skinned.fbx
FROM debian:12-slim AS build
WORKDIR /src
# The packages of the build alone, so that a change of a source does not fetch them again.
COPY bootstrap ./
RUN ./bootstrap install
COPY . .
RUN ./bootstrap linux \
  && mkdir /gvbind \
  && tar -xzf build/linux/gvbind-*-linux-*.tar.gz -C /gvbind --strip-components=1

FROM debian:12-slim
COPY --from=build /gvbind /usr/local
# Whoever runs it: `docker run -u "$(id -u):$(id -g)"` makes outputs the caller's.
USER 65534:65534
WORKDIR /work
ENTRYPOINT ["gvbind"]
